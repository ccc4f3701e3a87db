import { describe, expect, test } from 'vitest'
import { authRoutes } from '../auth/authRoutes.ts'
import { createApp } from '../http/createApp.ts'
import { testKeys, testService } from '../service.fixture.ts'
import { compareNames } from './compareNames.ts'
import { stateOfPoint } from './place.ts'
import { registerBusiness } from './registerBusiness.ts'

/** Returns the lower of the two scores. Each name is first and last name, separated by a comma. */
async function least(given: string, known: string): Promise<number> {
  const nameOf = (text: string) => {
    const [firstName = '', lastName = ''] = text.split(', ')
    return { firstName, lastName }
  }
  const { firstName, lastName } = await compareNames(nameOf(given), nameOf(known))
  return Math.min(firstName, lastName)
}

describe('at the strictest threshold', () => {
  test.each([
    ['Ada, Lovelace', 'ADA, lovelace'],
    ['José, Muñoz', 'Jose, Munoz'],
    ['Łukasz, Żółć', 'Lukasz, Zolc'],
    ['Nguyễn, Văn', 'Nguyen, Van'],
    ["Sinéad, O'Connor", 'Sinead, O Connor'],
    ['Anne-Marie, Smith-Jones', 'Anne Marie, Smith Jones'],
    ['Ana, de la Cruz', 'Ana, DelaCruz'],
    ['小明, 王', 'Xiao Ming, Wang'],
    ['Анна, Иванова', 'Anna, Ivanova'],
    // A person with a single name.
    ['Suharto, -', 'Suharto, .'],
    ['Жанна, Щукина', 'Zhanna, Shchukina'],
    ["Seán, O'Neill", 'Sean, ONeill'],
    ['Siobhán, Ní Dhomhnaill', 'Siobhan, Ni Dhomhnaill'],
    ['Ａｄａ, Ｌｏｖｅｌａｃｅ', 'Ada, Lovelace'],
    // The accent is a separate character.
    ['Jose\u0301, Gil', 'José, Gil'],
  ])('%s is %s', async (given, known) => {
    expect(await least(given, known)).toBe(100)
  })
})

describe('at the default threshold of 90', () => {
  test.each([
    ['Bob, Smith', 'Robert, Smith'],
    ['Liz, Windsor', 'Elizabeth, Windsor'],
    ['Annie, Lee', 'Ann, Lee'],
    ['Jon, Smith', 'John, Smith'],
    ['John, Smyth', 'John, Smith'],
    ['Jonh, Smith', 'John, Smith'],
    ['Mohammed, Ali', 'Muhammad, Ali'],
    ['Александр, Пушкин', 'Alexander, Pushkin'],
    ['Юрий, Гагарин', 'Yuri, Gagarin'],
    ['Jürgen, Müller', 'Juergen, Mueller'],
    ['J., Smith', 'John, Smith'],
    ['John, Smith', 'John Paul, Smith'],
    ['John Paul, Smith', 'Paul, Smith'],
    ['Gabriel, García', 'Gabriel, García Márquez'],
    ['Yamada, Taro', 'Taro, Yamada'],
    ['María José, García-López', 'Maria Jose, Lopez'],
    ['João Pedro, da Silva Santos', 'Joao, Santos'],
    ['Nguyễn, Thị Minh Khai', 'Minh Khai, Nguyễn Thị'],
    ['Γεώργιος, Παπανδρέου', 'Georgios, Papandreou'],
    ['Smyth, Bob', 'Robert, Smith'],
  ])('%s is %s', async (given, known) => {
    const score = await least(given, known)
    expect(score).toBeGreaterThanOrEqual(90)
    expect(score).toBeLessThan(100)
  })
})

describe('below the default threshold of 90', () => {
  test.each([
    ['John, Smith', 'Jane, Smith'],
    ['John, Smith', 'John, Jones'],
    ['Kim, Lee', 'Tim, Lee'],
    ['Li, Wang', 'Lu, Wang'],
    ['John, S', 'John, Smith'],
    ['Ana, de', 'Ana, de la Cruz'],
    ['John, John', 'John, Smith'],
    ['Michael, Brown', 'Michelle, Braun'],
    ['!!!, Smith', 'John, Smith'],
    ['Suharto, -', 'Suharto, Smith'],
    ['Smith, Smith', 'John, Smith'],
  ])('%s is not %s', async (given, known) => {
    expect(await least(given, known)).toBeLessThan(90)
  })
})

test('compareNames is symmetric', async () => {
  for (const [one, other] of [
    ['Bob, Smith', 'Robert, Smyth'],
    ['J, García', 'Juan Pablo, García Márquez'],
    ['Ann, Lee', 'Anna, Leigh'],
  ] as const)
    expect(await least(one, other)).toBe(await least(other, one))
})

test('compareNames returns one score each for first and last name', async () => {
  const known = { firstName: 'John', lastName: 'Smith' }
  expect(await compareNames({ firstName: 'John', lastName: 'Jones' }, known)).toMatchObject({
    firstName: 100,
  })
  expect(await compareNames({ firstName: 'Mary', lastName: 'Smith' }, known)).toMatchObject({ lastName: 100 })
})

test('compareNames is fast for long names', async () => {
  const long = 'a'.repeat(500)
  expect(await least(`${long}, b`, `${'b'.repeat(500)}, b`)).toBe(0)
})

test('compareNames is fast for characters that expand to many letters', async () => {
  const started = performance.now()
  // Two Arabic ligatures: one expands to eighteen letters, the other to a few.
  await least(`${'\ufdfa'.repeat(200)}, a`, `${'\ufdfb '.repeat(100)}, a`)
  await least(`${'\ufdfa'.repeat(200)}, a`, `${'\ufdfa'.repeat(199)}b, a`)
  expect(performance.now() - started).toBeLessThan(3_000)
})

describe('stateOfPoint returns the state of', () => {
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
})

describe('registerBusiness', () => {
  test('a service with random nonces returns a 451 with its links as top-level fields', async () => {
    const { service, close } = await testService()
    const app = createApp({ ...service, kind: 'randomNonce' }, [...authRoutes, registerBusiness])
    const user = { authorization: testKeys.shop, 'x-svc-auth-user-id': 'ada' }
    const { key } = await (await app.request('/api/auth/session-key', { headers: user })).json()
    const response = await app.request('/api/withdraw/kyb', {
      method: 'POST',
      headers: {
        ...user,
        'content-type': 'application/json',
        'x-svc-auth-session-key': key,
        'x-svc-auth-wallet': '0x5FbDB2315678afecb367f032d93F642f64180aa3',
        'x-svc-auth-blockchain': 'base',
      },
      body: JSON.stringify({
        merchantId: 'shop',
        country: 'DE',
        email: 'ada@engines.example',
        redirectLink: 'https://shop.example/back',
      }),
    })
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 451,
      body: {
        message: 'Error Processing your request',
        details: expect.any(String),
        verificationLink: expect.stringContaining('/sandbox/verifications/ver_'),
        redirectLink: 'https://shop.example/back',
      },
    })
    await close()
  })
})
