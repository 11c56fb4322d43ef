export default async function tearDown() {
  const provided = globalThis.najwaInfrastructure ?? [];
  globalThis.najwaInfrastructure = [];
  for (const infrastructure of provided) await infrastructure.stop();
}
