import { describe, expect, test } from 'vitest'
import { compareNames } from './compareNames.ts'

/** First and last name, separated by a comma. */
async function least(given: string, known: string): Promise<number> {
  const nameOf = (text: string) => {
    const [firstName = '', lastName = ''] = text.split(', ')
    return { firstName, lastName }
  }
  const { firstName, lastName } = await compareNames(nameOf(given), nameOf(known))
  return Math.min(firstName, lastName)
}

describe('the same name, at the strictest', () => {
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
    // A single name.
    ['Suharto, -', 'Suharto, .'],
    ['Жанна, Щукина', 'Zhanna, Shchukina'],
    ["Seán, O'Neill", 'Sean, ONeill'],
    ['Siobhán, Ní Dhomhnaill', 'Siobhan, Ni Dhomhnaill'],
    ['Ａｄａ, Ｌｏｖｅｌａｃｅ', 'Ada, Lovelace'],
    // The accent as a separate character.
    ['Jose\u0301, Gil', 'José, Gil'],
  ])('%s is %s', async (given, known) => {
    expect(await least(given, known)).toBe(100)
  })
})

describe('the same person, at the default of 90', () => {
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

describe('another person, at the default of 90', () => {
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

test('is symmetric', async () => {
  for (const [one, other] of [
    ['Bob, Smith', 'Robert, Smyth'],
    ['J, García', 'Juan Pablo, García Márquez'],
    ['Ann, Lee', 'Anna, Leigh'],
  ] as const)
    expect(await least(one, other)).toBe(await least(other, one))
})

test('returns a score per part', async () => {
  const known = { firstName: 'John', lastName: 'Smith' }
  expect(await compareNames({ firstName: 'John', lastName: 'Jones' }, known)).toMatchObject({
    firstName: 100,
  })
  expect(await compareNames({ firstName: 'Mary', lastName: 'Smith' }, known)).toMatchObject({ lastName: 100 })
})

test('compares long names quickly', async () => {
  const long = 'a'.repeat(500)
  expect(await least(`${long}, b`, `${'b'.repeat(500)}, b`)).toBe(0)
})

test('is fast for characters that expand to many letters', async () => {
  const started = performance.now()
  // Two ligatures of Arabic, of eighteen letters and of a few.
  await least(`${'\ufdfa'.repeat(200)}, a`, `${'\ufdfb '.repeat(100)}, a`)
  await least(`${'\ufdfa'.repeat(200)}, a`, `${'\ufdfa'.repeat(199)}b, a`)
  expect(performance.now() - started).toBeLessThan(3_000)
})
