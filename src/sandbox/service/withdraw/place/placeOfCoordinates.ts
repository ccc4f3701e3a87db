import type { Place } from './sandboxAddresses.ts'

/** The country around a point; undefined at sea. States are not told. */
export async function placeOfCoordinates(point: { lat: number; lng: number }): Promise<Place | undefined> {
  const { lat, lng } = point
  // Borders of the world: read when the first customer says where they are.
  const { iso1A2Code } = await import('@rapideditor/country-coder')
  const country = iso1A2Code([lng, lat])
  return country === null ? undefined : { country, state: null }
}
