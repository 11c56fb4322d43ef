/** Of the contract's routes, a client needs methods and paths alone. */
const OF_SERVICES = /\b(service: '[a-z]+'|roles: [A-Z_]+|body: [A-Z_]+),?/g;

/** Leaves services, roles and kinds of bodies out of the scripts that a visitor loads. */
export const callRoutes = () => ({
  name: 'call-routes',
  apply: /** @type {const} */ ('build'),
  enforce: /** @type {const} */ ('pre'),
  transform: (/** @type {string} */ code, /** @type {string} */ id) =>
    id.endsWith('/proto/src/http/routes.ts') ? { code: code.replace(OF_SERVICES, ''), map: null } : undefined,
});
