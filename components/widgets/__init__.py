"""Parts that several places use: table, editor, stepper, picture, pieces of HTML."""
