"""The rules of China: record, components, what is legal, what happens, who knows what."""
