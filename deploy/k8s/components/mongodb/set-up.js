/* global db, rs, sleep -- of mongosh */
// Run by mongosh in the first member's pod: creates the replica set and its administrator. Idempotent.
const { MONGO_INITDB_ROOT_USERNAME: user, MONGO_INITDB_ROOT_PASSWORD: pwd } = process.env;
const admin = db.getSiblingDB('admin');

const isSetUp = () => {
  try {
    admin.auth(user, pwd);
    return true;
  } catch {
    return false;
  }
};

if (!isSetUp()) {
  try {
    rs.initiate({
      _id: 'rs0',
      members: [0, 1, 2].map((id) => ({ _id: id, host: `mongodb-${id}.mongodb-nodes:27017` })),
    });
  } catch (error) {
    if (error.codeName !== 'AlreadyInitialized') throw error;
  }
  // A restarted member cannot authenticate at first, while another is primary.
  while (!db.hello().isWritablePrimary && !isSetUp()) sleep(1000);
  // Allowed from localhost only, and only while there is no user.
  if (!isSetUp()) admin.createUser({ user, pwd, roles: ['root'] });
}
