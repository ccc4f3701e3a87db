import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { formLanguage } from '../cardForm/formPlace.ts'
import { findingCatalogue } from '../core/finding/findingCatalogue.ts'
import type { UserMessageKey, UserMessages } from '../core/userMessage/userMessages.ts'
import { formatInspection, inspect } from '../evm/index.ts'
import * as exported from './index.ts'

const { english, englishInspection, ptBr, ptBrInspection } = exported

/** Statements about money, and words for developers only, in each language. */
const languages: readonly {
  name: string
  messages: UserMessages
  nothing: RegExp
  notAgain: RegExp
  jargon: RegExp
}[] = [
  {
    name: 'English',
    messages: english,
    nothing: /You have not been charged\./,
    notAgain: /don't pay again/,
    jargon:
      /\b(permits?|nonce|salt|hash|chain|blockchain|gas|contract|rpc|node|eip|calldata|transactions?|revert(?:ed)?|simulat\w+|api|json|schema|field|option|parameter|undefined|null|errors?|exception|timeout|wei|raw|bytes|hex|settle\w*|redeem\w*|intent|pin(?:s|ned)?|abort\w*|invalid|mismatch|authenticat\w*|authoriz\w*|request id|code \d)\b|0x/i,
  },
  {
    name: 'Brazilian Portuguese',
    messages: ptBr,
    nothing: /Nada foi cobrado\./,
    notAgain: /Não pague de novo/,
    jargon:
      /\b(permit|nonce|hash|blockchain|gas|gás|contrato|rpc|nó|eip|calldata|transaç\w+|revert\w*|simula\w+|api|json|esquema|parâmetro|undefined|null|exceção|timeout|wei|bytes|hex|resgat\w*|inválid\w*|autentic\w*|autoriz\w*|erro no código)\b|0x/i,
  },
]
const keys = Object.keys(english).filter((key) => key !== 'locale') as UserMessageKey[]
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

test('every language is tested below', () => {
  const all = Object.values(exported).filter((one) => 'button.ready' in one)
  expect(new Set(languages.map(({ messages }) => messages))).toEqual(new Set(all))
})

const page = readFileSync(new URL('../../../docs/pages/dapp/messages.md', import.meta.url), 'utf8')
const named = Object.entries(exported).flatMap(([name, one]) =>
  'button.ready' in one ? [[name, one.locale] as const] : [],
)
test.each(named)('%s has texts for inspections and the card form, and is documented', (name, locale) => {
  expect(Object.keys(exported)).toContain(`${name}Inspection`)
  expect(locale.startsWith(`${formLanguage(locale)}-`)).toBe(true)
  if (name !== 'english') expect(page).toContain(`\`${name}\``)
})

describe.each(languages)('$name', ({ messages, nothing, notAgain, jargon }) => {
  test('has all messages with the same placeholders', () => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(english).sort())
    for (const key of keys)
      expect([key, placeholders(messages[key])]).toEqual([key, placeholders(english[key])])
  })

  test('makes the same statements about money as English', () => {
    const claims = (text: string, [none, again]: readonly [RegExp, RegExp]) => [
      none.test(text),
      again.test(text),
    ]
    for (const key of keys)
      expect([key, ...claims(messages[key], [nothing, notAgain])]).toEqual([
        key,
        ...claims(english[key], [/You have not been charged\./, /don't pay again/]),
      ])
  })

  test('has no words that only developers know', () => {
    expect(keys.filter((key) => jargon.test(messages[key]))).toEqual([])
  })

  test('has short, complete sentences', () => {
    for (const key of keys) {
      expect([key, messages[key].length <= 130]).toEqual([key, true])
      // The button's labels are short and have no full stop.
      if (key.startsWith('button.')) expect(messages[key]).toMatch(/^[A-ZÁÉÍÓÚ].{2,34}[^.]$/u)
      else expect(messages[key]).toMatch(/^[A-ZÁÉÍÓÚ{].*[.]$/u)
    }
  })
})

const root = fileURLToPath(new URL('../../..', import.meta.url))

async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    tsconfig: `${root}tsconfig.json`,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    write: false,
    logLevel: 'silent',
    external: ['viem', 'zod', '@noble/*', '@solana/*', '@stellar/*', '@scure/*', 'jose'],
  })
  return outputFiles[0]?.text ?? ''
}

test('a page contains only the sentences and languages that it imports', async () => {
  const [redeem, message, portuguese] = await Promise.all([
    bundled("export { createPaymentsClient, redeem } from 'redeemkit'"),
    bundled("export { userMessage } from 'redeemkit'"),
    bundled("export { ptBr } from 'redeemkit/languages'"),
  ])
  const has = (text: string) => [
    text.includes(english.CardDeclinedError),
    text.includes(ptBr.CardDeclinedError),
  ]
  expect(has(redeem)).toEqual([false, false])
  expect(has(message)).toEqual([true, false])
  expect(has(portuguese)).toEqual([false, true])
})

test('a missing message or value is a type error', () => {
  // @ts-expect-error a single sentence is not a language
  const missing = { locale: 'fr', page: 'Voilà.' } satisfies UserMessages
  // @ts-expect-error the time is missing
  const unfilled: Partial<UserMessages> = { 'RateLimitedError.wait': 'Attendez.' }
  const right: Partial<UserMessages> = { 'RateLimitedError.wait': 'Attendez {wait}.' }
  expect([missing, unfilled, right]).toHaveLength(3)
})

const translated = Object.entries(exported).flatMap(([name, one]) =>
  'findings' in one && one !== englishInspection ? [[name, one] as const] : [],
)
describe.each(translated)('the texts of inspections: %s', (_, texts) => {
  const parts = ['sentences', 'labels', 'words', 'kinds'] as const
  test.each(parts)('have all %s, with the same values in them', (part) => {
    const [own, others] = [englishInspection[part], texts[part]] as Record<string, string>[]
    expect(Object.keys(others ?? {}).sort()).toEqual(Object.keys(own ?? {}).sort())
    for (const [key, text] of Object.entries(own ?? {}))
      expect([key, placeholders(others?.[key] ?? '')]).toEqual([key, placeholders(text)])
  })

  test.each(['evm', 'tempo', 'solana', 'stellar'])(
    'cover every finding of `inspect` in redeemkit/%s',
    async (entryPoint) => {
      const code = await bundled(`export { inspect } from 'redeemkit/${entryPoint}'`)
      const codes = Object.keys(findingCatalogue).filter((one) => code.includes(`"${one}"`))
      expect(codes.length).toBeGreaterThan(20)
      expect(codes.filter((one) => !Object.hasOwn(texts.findings, one))).toEqual([])
    },
  )
})

test('inspections have the separators and the words of the language', () => {
  const inspection = inspect(
    {
      method: 'eth_sendTransaction',
      params: [
        {
          to: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
          maxFeePerGas: '0x1',
          data: `0xa9059cbb${'70997970C51812dc3A010C7d01b50e0d17dc79C8'.padStart(64, '0')}${1_234_560_000n.toString(16).padStart(64, '0')}`,
        },
      ],
    },
    { chainId: 8453 },
  )
  expect(formatInspection(inspection, { texts: ptBrInspection })).toEqual({
    title: 'Envia 1.234,56 USDC para 0x7099…79C8.',
    lines: [
      { label: 'Destinatário', value: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
      { label: 'Contrato', value: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
      { label: 'Rede', value: 'Base' },
    ],
    findings: [
      { severity: 'warning', message: 'Não foi comparada com um pagamento esperado.' },
      { severity: 'warning', message: 'Sua conta paga a taxa da rede, que a página pode ter definido.' },
    ],
  })
})
