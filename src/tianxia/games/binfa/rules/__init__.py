"""The rules of Bin'Fa: record, components, what is legal, what happens, who knows what."""
