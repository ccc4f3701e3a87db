import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { evmNetworks } from '../../src/redeemkit/core/evmNetworks.ts'

/**
 * Texts repeat a fact only for their reader: each fact has one place in the code, and every text that repeats it must say the same. A test's
 * name is the place to change; its failure lists the texts to change with it.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Documents, docstrings and NatSpec, by path. */
const texts = new Map(
  ['README.md', 'PROTOCOL.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/pages', 'src', 'contracts', 'skills']
    .flatMap((place) =>
      place.endsWith('.md')
        ? place
        : readdirSync(join(root, place), { recursive: true, encoding: 'utf8' }).map((path) =>
            `${place}/${path}`.replaceAll('\\', '/'),
          ),
    )
    .filter(
      (path) =>
        /\.(?:md|sol|tsx?)$/.test(path) &&
        !/\.test\.|\.fixture\.|\/(?:node_modules|out|generated)\//.test(path),
    )
    .map((path) => [path, read(path)]),
)

/** A number or a text as a source or a sentence writes it: `15_500_000n`, `15,500,000`, `2 ** 24`, `'x'`. */
function plainText(text: string): string {
  const bare = text.trim().replaceAll(/(?<=\d)[_,](?=\d{3})|(?<=\d)n\b|^['`]|['`]$/g, '')
  const [, base, exponent] = /^(\d+) \*\* (\d+)$/.exec(bare) ?? []
  if (base !== undefined) return `${Number(base) ** Number(exponent)}`
  if (/^\d+(?: \* \d+)+$/.test(bare))
    return `${bare.split(' * ').reduce((product, part) => product * Number(part), 1)}`
  return bare.replace(/^(\d+) days$/, (_, days) => `${Number(days) * 86_400}`)
}

const literal = String.raw`'[^'\n]*'|\d[\d_]*n?(?: \*\*? \d[\d_]*n?)*(?: days)?`

/** The literal that a source gives a name: as a constant, a default or a property. */
function constantIn(path: string, name: string): string {
  const [, value] =
    new RegExp(`\\b${name}(?:\\??: [^=;\\n]+)? ?(?:=|\\?\\?) (${literal})`).exec(texts.get(path) ?? '') ?? []
  if (value === undefined) throw new Error(`${path} gives ${name} no literal.`)
  return plainText(value)
}

const core = 'src/redeemkit/core'
const redeem = 'src/redeemkit/redeem'
const service = 'src/sandbox/service'
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]
const kibi = 1024

/** A place, the name there, how many of it are one in the texts, and what every text says around the number. */
const facts: [path: string, name: string, unit: number, ...patterns: RegExp[]][] = [
  [`${core}/orderId.ts`, 'longestOrderId', 1, /\b1 to (\d+) (?:visible )?characters(?! on one line)/g],
  [`${core}/headerNames.ts`, 'defaultHeaderPrefix', 1, /`(x-[a-z]+-)`/g],
  [
    `${core}/limits.ts`,
    'permitMinimumSeconds',
    1,
    /more than (\d+) seconds \| client/g,
    /exactly (\d+) seconds left/g,
  ],
  [`${core}/limits.ts`, 'permitMaximumSeconds', 1, /one with exactly (\d+) is accepted/g],
  [`${core}/limits.ts`, 'permitMaximumSeconds', 3600, /longest life \| (\d+) hour/g],
  [`${core}/limits.ts`, 'permitDefaultSeconds', 60, /permits of (\d+) minutes/g, /counts the (\d+) minutes/g],
  [`${core}/limits.ts`, 'defaultMinimumGas', 1, /(?:requires|with(?: at least)?)\s+([\d,]+) gas/g],
  [`${core}/limits.ts`, 'mostMinimumGas', 1, /MAX_MINIMUM_GAS = ([\d_]+)/g],
  [
    `${core}/limits.ts`,
    'mostTransactionGas',
    1,
    /([\d,]+) gas[,( ]+the limit of one transaction/g,
    /MOST_TRANSACTION_GAS = ([\d *]+)/g,
  ],
  [
    `${core}/limits.ts`,
    'credentialHours',
    1,
    /\| (\d+) hours \|/g,
    /(?:lives?(?: for)?|valid for at most|as that user for|until it expires,) (\d+) hours/g,
    /expiration, (\d+) hours/g,
  ],
  [
    `${core}/limits.ts`,
    'orderMinutes',
    1,
    /(?:valid for|expires?|expire after|`expires`,) (\d+) minutes\b(?:\.| after (?:they were created|creation))/g,
  ],
  [`${redeem}/purchase/readReady.ts`, 'minimumSigningSeconds', 1, /valid for at least (\d+) s more/g],
  [`${redeem}/purchase/usableRecord.ts`, 'clockSlack', 60, /expired (\d+) minutes after its `validBefore`/g],
  [
    `${redeem}/purchase/submitWithRetries.ts`,
    'noticeMs',
    second,
    /After (\d+) seconds (?:it reports the step|`step` is)\s+`stillWaiting`/g,
  ],
  [
    `${redeem}/purchase/submitWithRetries.ts`,
    'sendNowMs',
    second,
    /[Aa]fter (\d+) seconds (?:the same step with|a click submits)/g,
  ],
  [`${redeem}/purchase/submitWithRetries.ts`, 'timeoutMs', minute, /`timeoutMs` \((\d+) minutes\)/g],
  [`${redeem}/checkRedeem.ts`, 'maxAgeSeconds', 1, /the caller allows \((\d+) s by default\)/g],
  [`${redeem}/chain/findTransaction.ts`, 'mostTransactions', 1, /blocks and (\d+) transactions in one call/g],
  ['src/redeemkit/evm/signer/takesIntent.ts', 'patienceMs', 1, /(?:within|then has) (\d+) ms/g],
  [
    'src/redeemkit/evm/creditPermit/disclosedIntent.ts',
    'mostIntentBytes',
    1,
    /at most ([\d,]+) bytes\. Without this very/g,
  ],
  [
    'src/redeemkit/evm/creditPermit/disclosedIntent.ts',
    'mostIntentBytes',
    kibi,
    /unknown fields or more than (\d+) KiB/g,
  ],
  [
    'src/redeemkit/evm/usdcToken.ts',
    'usdcVersion',
    1,
    /(?:EIP-712 version|EIP-712 version\. Default) `(\d)`\.?\s(?:Its|\*\/)/g,
  ],
  [
    'src/redeemkit/core/amount/centsToAmount.ts',
    'usdcDecimals',
    1,
    /USDC have (\d+) decimals on EVM/g,
    /On EVM chains USDC has (\d+) decimals/g,
  ],
  [
    'src/redeemkit/solana/networks.ts',
    'usdcDecimals',
    1,
    /USDC has (\d+) decimals on Solana/g,
    /with mint and (\d+) decimals/g,
  ],
  ['src/redeemkit/api/sendOnce.ts', 'timeoutMs', second, /timed out \(after (\d+) seconds by default/g],
  ['src/redeemkit/api/sendOnce.ts', 'maxAnswerBytes', kibi * kibi, /(\d+) MiB(?: of an answer| \|)/g],
  [
    'src/redeemkit/merchant/verifyWebhook.ts',
    'toleranceSeconds',
    60,
    /A signature is valid for (\d+) minutes/g,
    /within (\d+) minutes of its own clock/g,
  ],
  [
    'src/redeemkit/merchant/createMerchantHandler.ts',
    'maxBodyBytes',
    kibi,
    /`content-type: application\/json`, (\d+) KiB by default/g,
  ],
  [
    'src/redeemkit/solana/usdcTransfer/expectedTransfer.ts',
    'tokenAccountRent',
    1,
    /at most ([\d,]+) lamports unless/g,
    /allows more, and ([\d,]+) where/g,
  ],
  [
    'src/redeemkit/solana/usdcTransfer/expectedTransfer.ts',
    'defaultMaxFeeLamports',
    1,
    /at most ([\d,]+) lamports by default/g,
  ],
  [
    'src/redeemkit/solana/usdcTransfer/transferInstructions.ts',
    'defaultUnits',
    1,
    /Defaults are ([\d,]+) units/g,
  ],
  [`${service}/http/readBody.ts`, 'maxBodyBytes', kibi, /one above (\d+) KiB a 413/g],
  [`${service}/http/readBody.ts`, 'maxDepth', 1, /nested more than (\d+) levels/g],
  [`${service}/http/checkCaller.ts`, 'maxHeaders', 1, /at most (\d+) headers of/g],
  [`${service}/http/checkCaller.ts`, 'maxHeaderCharacters', kibi, /headers of (\d+) KiB/g],
  [`${service}/http/customer.ts`, 'maxUserIdLength', 1, /(\d+) characters and is not blank/g],
  [
    `${service}/auth/challenges.ts`,
    'verifyWithinMs',
    minute,
    /verified once within (\d+) minutes of its issue/g,
  ],
  [
    `${service}/checkout/card/chargeCard.ts`,
    'challengeMs',
    minute,
    /not answered,\s+(\d+) minutes after/g,
    /answered once, within (\d+) minutes/g,
  ],
  [`${service}/redeem/dryRunRedeem.ts`, 'maxDeploymentGas', 1, /wallet first \(at most ([\d,]+) gas/g],
  [`${service}/transfers/settleSolanaTransfer.ts`, 'creationsPerDay', 1, /and (\d+) times a day in all/g],
  [
    `${service}/webhooks/webhookSettings.ts`,
    'overlapMs',
    hour,
    /For (\d+) hours the service signs with both/g,
    /replaces another, for (\d+) hours/g,
  ],
  [
    `${service}/webhooks/postWebhook.ts`,
    'timeoutMs',
    second,
    /Answer within (\d+) seconds/g,
    /An attempt ends after (\d+) seconds/g,
  ],
  [
    'src/sandbox/chains/stellar/stellarAuth.ts',
    'challengeSeconds',
    60,
    /\((\d+) minutes on the local service\)/g,
  ],
  ['src/sandbox/cli/readNumber.ts', 'defaultPort', 1, /(?:127\.0\.0\.1|localhost):(4\d{3})\b/g],
  [
    'src/sandbox/start/fundAccounts.ts',
    'gift',
    1_000_000,
    /([\d,]+) USDC (?:and 1000 dollars|each)/g,
    /([\d,]+) dollars of credits (?:each|and)/g,
  ],
  ['contracts/src/TokenReceiver.sol', 'MAX_TOKENS', 1, /\b1 to (\d+) tokens/g, /Mint at most (\d+) tokens/g],
  ['contracts/src/TokenReceiver.sol', 'MAX_CALL_REASON', 1, /forwards at most (\d+) bytes of revert data/g],
  ['contracts/src/EmergencyPause.sol', 'PAUSE_DURATION', day / 1000, /pause ends after (\d+) days/g],
  [
    'contracts/src/EmergencyPause.sol',
    'EXIT_DELAY',
    day / 1000,
    /(?:`exitOpensAt` is|claims open after|first|thief for|less than) (\d+) days/g,
  ],
  [
    'contracts/src/Credits.sol',
    'MAX_BATCH_REASON',
    1,
    /BatchItemFailed\(index, reason\)` and at most (\d+) bytes/g,
  ],
]

describe('what texts repeat of', () => {
  test.each(facts)('%s: %s, by %d', (path, name, unit, ...patterns) => {
    const value = constantIn(path, name)
    const wanted = unit === 1 ? value : `${Number(value) / unit}`
    for (const pattern of patterns) {
      const said = [...texts].flatMap(([place, text]) =>
        [...text.matchAll(pattern)].map(([words, number = '']) => ({
          place,
          words,
          number: plainText(number),
        })),
      )
      expect(said.length, `texts with ${pattern}`).toBeGreaterThan(0)
      expect(
        said.filter(({ number }) => number !== wanted),
        `texts that do not say ${wanted}`,
      ).toEqual([])
    }
  })

  test('src/redeemkit/core/evmNetworks.ts: the chains that redeems work on', () => {
    const names = evmNetworks
      .filter(({ environment }) => environment === 'prod')
      .map(({ name }) => name.replace(/ One$/, ''))
    const said = [...texts].flatMap(([place, text]) =>
      [...text.matchAll(/\bEthereum, ([\w, ]+? and \w+)\b/g)].map(([words]) => ({ place, words })),
    )
    expect(said.map(({ place }) => place)).toContain('README.md')
    const wanted = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
    expect(said.filter(({ words }) => words !== wanted)).toEqual([])
  })

  test('each option with a default number: its docstring', () => {
    const wrong: string[] = []
    let checked = 0
    for (const [place, text] of texts)
      for (const { name, comment } of documented(text)) {
        const [, said] = /\bDefault (\d[\d_,]*n?)(?=[.,:;]? |[.,:;]?$)(?! [A-Za-z])/.exec(comment) ?? []
        if (said === undefined) continue
        const values =
          [defaultsIn(text, name), settingsIn(text, name)].find(({ length }) => length > 0) ??
          [...texts.values()].flatMap((other) => defaultsIn(other, name))
        checked += 1
        if (!values.includes(plainText(said.replace(/[.,]$/, ''))))
          wrong.push(`${place}: ${name} is ${values.join(' or ')}, not ${said}`)
      }
    expect(checked).toBeGreaterThan(40)
    expect(wrong).toEqual([])
  })
})

/** Each option that a docstring describes: its own, or a tag of its function. */
function documented(text: string): { name: string; comment: string }[] {
  return [...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:readonly )?(?:(\w+)\??:)?/g)].flatMap(
    ([, raw = '', property]) => {
      const comment = raw.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim()
      if (property !== undefined) return { name: property, comment }
      return [...comment.matchAll(/@param options\.(\w+) ([^@]*)/g)].map(([, name = '', said = '']) => ({
        name,
        comment: said.trim(),
      }))
    },
  )
}

/** The default of an option, as code writes it: `name = 1`, `name: type = 1` or `name ?? 1`. Constants are resolved. */
function defaultsIn(text: string, name: string): string[] {
  const sign = `(?:(?:: \\w+)? =| \\?\\?) (?:options\\.${name} \\?\\? )?(?:\\(\\S+ === undefined \\? )?`
  return givenIn(text, `\\b${name}${sign}`)
}

/** The value in an object of defaults: `name: 1`. */
function settingsIn(text: string, name: string): string[] {
  return givenIn(text.replaceAll(/^ *\*.*$/gm, ''), `^ +${name}: (?=.*,$)`)
}

function givenIn(text: string, before: string): string[] {
  return [...text.matchAll(new RegExp(`${before}(${literal}|[a-zA-Z]\\w*)`, 'gm'))].flatMap(
    ([, value = '']) => (constants.get(value) ?? [plainText(value)]).filter((one) => /^\d+$/.test(one)),
  )
}

const constants = new Map<string, string[]>()
for (const text of texts.values())
  for (const [, name = '', value = ''] of text.matchAll(
    new RegExp(`^(?:export )?const (\\w+)(?:: \\w+)? = (${literal})$`, 'gm'),
  ))
    constants.set(name, [...(constants.get(name) ?? []), plainText(value)])
