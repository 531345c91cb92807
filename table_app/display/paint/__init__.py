"""The painters: each draws one part of a view on a canvas. What is in the view is not decided here."""
