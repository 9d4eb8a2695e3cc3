"""What people see of China: words, pictures, gestures, the terminal, the rulebooks."""
