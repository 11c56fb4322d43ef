/** Concurrent calls with the same key share one run. */
export type SingleFlight<Result> = (key: string, task: () => Promise<Result>) => Promise<Result>;

export function createSingleFlight<Result>(): SingleFlight<Result> {
  const flights = new Map<string, Promise<Result>>();
  return (key, task) => {
    const flight = flights.get(key) ?? task().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}
