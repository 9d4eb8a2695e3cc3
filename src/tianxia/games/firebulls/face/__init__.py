"""What people see of Fire Bulls: words, pictures, gestures, the terminal, the rulebooks."""
