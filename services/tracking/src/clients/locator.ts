import { open, validate, type CityResponse } from 'maxmind';

export interface Locator {
  /** City, region and country. Empty if unknown. */
  locate(ipAddress: string): string;
}

/**
 * From a local file: no address is sent to a third party.
 * @param database MaxMind DB (.mmdb). Without one, locations are empty.
 */
export async function createLocator(database: string | undefined): Promise<Locator> {
  if (database === undefined) return { locate: () => '' };
  const reader = await open<CityResponse>(database);
  return {
    locate(ipAddress) {
      const found = validate(ipAddress) ? reader.get(ipAddress) : null;
      const places = [found?.city, found?.subdivisions?.[0], found?.country];
      return places.flatMap((place) => place?.names.en ?? []).join(', ');
    },
  };
}
