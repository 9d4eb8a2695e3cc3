"""What people see of Bin'Fa: words, pictures, gestures, the terminal, the rulebooks."""
