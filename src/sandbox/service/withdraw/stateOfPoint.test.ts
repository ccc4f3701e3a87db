import { expect, test } from 'vitest'
import { stateOfPoint } from './stateOfPoint.ts'

test.each([
  ['New York City', 40.713, -74.006, 'NY'],
  ['Jersey City, across the river', 40.718, -74.047, 'NJ'],
  ['Washington', 38.8977, -77.0365, 'DC'],
  ['Arlington, across the river', 38.88, -77.107, 'VA'],
  ['Seattle', 47.606, -122.332, 'WA'],
  ['Honolulu, on an island', 21.307, -157.858, 'HI'],
  ['Attu Island, east of the date line', 52.9, 172.9, 'AK'],
  ['San Juan, a territory', 18.4, -66.06, 'PR'],
  ['Toronto', 43.653, -79.383, undefined],
  ['Tijuana', 32.514, -117.038, undefined],
])('%s', (_, lat, lng, state) => {
  expect(stateOfPoint({ lat, lng })).toBe(state)
})
