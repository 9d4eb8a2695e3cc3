"""The rules of Sun Tzu: record, components, what is legal, what happens, who knows what."""
