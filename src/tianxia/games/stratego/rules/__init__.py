"""The rules of Stratego: record, components, what is legal, what happens, who knows what."""
