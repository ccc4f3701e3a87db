import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { createPaymentsClient } from '../api/createPaymentsClient.ts'
import { parseUrl } from './parseUrl.ts'
import { secureRandom } from './secureRandom.ts'

afterEach(() => vi.unstubAllGlobals())

/** Functions above the browser line of CONTRIBUTING.md: newer than ES2022, `fetch` and Web Crypto. */
const tooNew =
  /\bURL\.(?:canParse|parse)\(|AbortSignal\.(?:any|timeout)\(|\.throwIfAborted\(|Promise\.(?:withResolvers|try)\(|\.(?:toSorted|toReversed|toSpliced|findLast|findLastIndex|isWellFormed)\(|\b(?:Object|Map)\.groupBy\(|\bArray\.fromAsync\(/

const root = new URL('../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
/** Servers and tests are not pages. */
const pageFiles = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.|\.fixture\.|^(?:merchant|mock)\//.test(file),
)

test('no file for pages uses features newer than the supported browsers', () => {
  expect(pageFiles.length).toBeGreaterThan(300)
  expect(pageFiles.filter((file) => tooNew.test(read(file)))).toStrictEqual([])
})

test('React Native omits each file that imports a variable URL, which Metro cannot bundle', () => {
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

test('without Web Crypto the error names the polyfill', () => {
  expect(secureRandom(32)).toHaveLength(32)
  vi.stubGlobal('crypto', undefined)
  expect(() => secureRandom(32)).toThrow('react-native-get-random-values')
})
