export { default as common } from './common.json' with { type: 'json' };
export { default as player } from './player.json' with { type: 'json' };
export { default as publicPage } from './publicPage.json' with { type: 'json' };
