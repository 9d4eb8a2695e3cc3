"""What people see of Stratego: words, pictures, gestures, the terminal, the rulebooks."""
