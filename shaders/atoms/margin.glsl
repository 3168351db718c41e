// The distance at which atoms see a change of a cell, in columns and in rows.
const int MARGIN = 2; // cells: a change farther away moves no block and no atom at rest
