'use strict';

// Express Gateway opens a Redis connection for its own consumers, which we do not have: accounts live in the auth service.
module.exports = class NoRedis {
  on() {
    return this;
  }
};
