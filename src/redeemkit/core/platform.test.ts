import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { createPaymentsClient } from '../api/createPaymentsClient.ts'
import { readClock, unixSeconds } from './clock.ts'
import { parseUrl } from './parseUrl.ts'
import { secureRandom } from './secureRandom.ts'

afterEach(() => vi.unstubAllGlobals())

/** Matches functions that the supported browsers of CONTRIBUTING.md may lack: newer than ES2022, `fetch` and Web Crypto. */
const tooNew =
  /\bURL\.(?:canParse|parse)\(|AbortSignal\.(?:any|timeout)\(|\.throwIfAborted\(|Promise\.(?:withResolvers|try)\(|\.(?:toSorted|toReversed|toSpliced|findLast|findLastIndex|isWellFormed)\(|\b(?:Object|Map)\.groupBy\(|\bArray\.fromAsync\(/

const root = new URL('../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
/** The source files that run in pages: all except tests and the code for servers. */
const pageFiles = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.|\.fixture\.|^(?:merchant|mock)\//.test(file),
)

test('no file for pages uses a function that the supported browsers may lack', () => {
  expect(pageFiles.length).toBeGreaterThan(300)
  expect(pageFiles.filter((file) => tooNew.test(read(file)))).toStrictEqual([])
})

test('package.json excludes each file that imports a variable URL from React Native, because Metro cannot bundle it', () => {
  const ofVariable = /\bimport\((?:\s*\/\*.*?\*\/)*\s*[^\s'"/]/
  const found = pageFiles.filter((file) => ofVariable.test(read(file)))
  const leftOut = JSON.parse(read('package.json'))['react-native']
  expect(leftOut).toStrictEqual(
    Object.fromEntries(found.map((file) => [`./dist/${file.replace(/\.tsx?$/, '.js')}`, false])),
  )
  expect(found).toHaveLength(1)
})

test('a client works where URL.canParse is missing', () => {
  vi.stubGlobal('URL', Object.assign(class extends URL {}, { canParse: undefined }))
  const client = { merchantId: 'shop', blockchain: 'base' } as const
  expect(createPaymentsClient({ ...client, baseUrl: 'https://service.test' }).baseUrl).toContain(
    'service.test',
  )
  expect(() => createPaymentsClient({ ...client, baseUrl: 'service' })).toThrow('baseUrl')
  expect(parseUrl('/calls', 'https://page.test')?.href).toBe('https://page.test/calls')
  expect(parseUrl('/calls')).toBeUndefined()
})

test('secureRandom names a polyfill in its error if Web Crypto is missing', () => {
  expect(secureRandom(32)).toHaveLength(32)
  vi.stubGlobal('crypto', undefined)
  expect(() => secureRandom(32)).toThrow('react-native-get-random-values')
})

test('unixSeconds rounds down to whole seconds', () => {
  expect(unixSeconds(() => 1999)).toBe(1n)
  expect(readClock(() => 1999.5)).toBe(1999.5)
  expect(Number(unixSeconds())).toBeGreaterThan(1_700_000_000)
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, '2026', undefined, null, new Date()])(
  'rejects a clock that returns %s',
  (time) => {
    expect(() => readClock((() => time) as never)).toThrow(
      expect.objectContaining({ name: 'InvalidClockError', field: 'now' }),
    )
    expect(() => unixSeconds((() => time) as never)).toThrow(
      expect.objectContaining({ name: 'InvalidClockError' }),
    )
  },
)

test('rejects a clock that is not a function', () => {
  expect(() => readClock(Date as never)).toThrow(expect.objectContaining({ name: 'InvalidClockError' }))
  for (const now of [5, 'now', null, new Date()])
    expect(() => readClock(now as never)).toThrow(expect.objectContaining({ name: 'InvalidClockError' }))
})
