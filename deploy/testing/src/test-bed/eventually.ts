import { until } from '@najwa/dev/bootstrap/processes';

const TIMEOUT_MS = Number(process.env['NAJWA_PATIENCE_MS'] ?? 90_000);

/** Polls. @throws the assertion's error after the timeout */
export async function eventually(assertion: () => unknown, timeoutMs = TIMEOUT_MS): Promise<void> {
  let failure: unknown;
  const held = await until(
    async () => {
      try {
        await assertion();
        return true;
      } catch (error) {
        failure = error;
        return false;
      }
    },
    { timeoutMs },
  );
  if (!held) throw failure;
}
