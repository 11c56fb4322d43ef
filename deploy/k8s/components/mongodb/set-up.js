/* global db, rs, sleep -- of mongosh */
// Run by mongosh beside the first member: makes the replica set and its administrator, once. Safe to run again.
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
  // A member that only restarted cannot authenticate anybody at first, and another one is the primary by then.
  while (!db.hello().isWritablePrimary && !isSetUp()) sleep(1000);
  // Allowed from localhost only, and only while there is no user.
  if (!isSetUp()) admin.createUser({ user, pwd, roles: ['root'] });
}
