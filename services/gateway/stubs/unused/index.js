'use strict';

// Stands in for old dependencies of Express Gateway's command line, admin API and stock policies, none of which we load.
// The three exports are the only names that Express Gateway dereferences while it is being required.
module.exports = {};
