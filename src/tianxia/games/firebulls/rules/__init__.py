"""The rules of Fire Bulls: record, components, what is legal, what happens, who knows what."""
