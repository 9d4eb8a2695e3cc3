"""What people see of Sun Tzu: words, pictures, gestures, the terminal, the rulebooks."""
