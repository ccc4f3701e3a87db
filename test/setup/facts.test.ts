import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toEventSelector, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import { wireErrors } from '../../src/redeemkit/core/errors/wireErrors.ts'
import { evmNetworks } from '../../src/redeemkit/core/evmNetworks.ts'
import {
  defaultHeaderPrefix,
  headerNames,
  webhookSignatureHeader,
} from '../../src/redeemkit/core/headerNames.ts'
import { creditsDomain } from '../../src/redeemkit/evm/creditPermit/creditPermit.ts'
import { purchaseVariables } from '../../src/redeemkit/schema/purchaseVariables.ts'
import { webhookEventTypes } from '../../src/redeemkit/schema/webhookEvent.ts'
import { createCommand } from '../../src/sandbox/cli/createCommand.ts'
import { envText, sandboxSettings } from '../../src/sandbox/cli/sandboxSettings.ts'
import { testAccountNames } from '../../src/sandbox/runningSandbox.ts'
import { testCards } from '../../src/sandbox/service/checkout/cards.ts'
import { routes } from '../../src/sandbox/service/routes.ts'
import { pauseAfter } from '../../src/sandbox/service/webhooks/postWebhook.ts'
import { trackedTexts } from './repositoryTexts.ts'

/**
 * Each fact has one place in the code, and every text that repeats it for its readers must agree. A test's name is the place to change; its
 * failure lists the texts to change with it.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Documents, docstrings, NatSpec and examples, by path. */
const texts = new Map(
  [...trackedTexts(/\.(?:md|sol|html|[cm]?[jt]sx?)$/)].filter(
    ([path]) =>
      /^(?:(?:README|PROTOCOL|CONTRIBUTING|SECURITY)\.md$|docs\/pages\/|src\/|contracts\/|examples\/)/.test(
        path,
      ) && !/\.test\.|\.fixture\.|\/generated\//.test(path),
  ),
)

/** Joins a wrapped sentence of a comment on one line, as its reader sees it. */
const unwrapped = (text: string) => text.replaceAll(/\n *(?:\*(?!\/)|\/{2,3})? */g, ' ')

const sentences = new Map([...texts].map(([path, text]) => [path, unwrapped(text)]))

const words = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/**
 * Parses a value as a source or a sentence writes it: `15_500_000n`, `15,500,000`, `2 ** 24`, `'x'`; or a list of values: `[1, 2]`, `1 and
 * 2`.
 */
function plainText(text: string): string {
  const items = text.replaceAll(/^\[|\]$/g, '').split(/, | and | or /)
  if (items.length > 1) return items.map(plainText).join(', ')
  const bare = text.trim().replaceAll(/(?<=\d)[_,](?=\d{3})|(?<=\d)n\b|^['`]|['`]$/g, '')
  const [, base, exponent] = /^(\d+) \*\* (\d+)$/.exec(bare) ?? []
  if (base !== undefined) return `${Number(base) ** Number(exponent)}`
  if (/^\d+(?: \* \d+)+$/.test(bare))
    return `${bare.split(' * ').reduce((product, part) => product * Number(part), 1)}`
  const word = words.indexOf(bare)
  if (word > 0) return `${word}`
  return bare.replace(/^(\d+) days$/, (_, days) => `${Number(days) * 86_400}`)
}

const single = String.raw`'[^'\n]*'|\d[\d_]*n?(?: \*\*? \d[\d_]*n?)*(?: days)?`
const literal = String.raw`${single}|\[(?:(?:${single})(?:, (?=[^\]]))?)+\]`

/** Returns the literal value of a name in a source: a constant, a default or a property. */
function constantIn(path: string, name: string): string {
  const [, value] =
    new RegExp(`\\b${name}(?:(?:\\??: [^=;\\n]+)? ?(?:=|\\?\\?)|:) (${literal})`).exec(
      texts.get(path) ?? '',
    ) ?? []
  if (value === undefined) throw new Error(`${path} has no literal value for ${name}.`)
  return plainText(value)
}

const core = 'src/redeemkit/core'
const redeem = 'src/redeemkit/redeem'
const service = 'src/sandbox/service'
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]
const kibi = 1024

/** A file, a constant in it, how many of its units make one unit of the texts, and the words around the number in the texts. */
const facts: [path: string, name: string, unit: number, ...patterns: RegExp[]][] = [
  ['src/sandbox/merchantOptions.ts', 'defaultMerchantId', 1, /\b(sandbox-(?!simulates)[a-z]+)\b/g],
  ['src/redeemkit/evm/findingTexts.ts', 'permit2', 1, /PERMIT2 = (0x\w+)/g, /Permit2 `(0x\w+)`/g],
  [
    'src/redeemkit/solana/transaction/readInstruction.ts',
    'maxLighthouseAssertions',
    1,
    /(?:at most|Up to|transfer and) (\w+) (?:Lighthouse )?assertions/g,
  ],
  [`${core}/orderId.ts`, 'longestOrderId', 1, /\b1 to (\d+) (?:visible )?characters(?! on one line)/g],
  [
    `${core}/limits.ts`,
    'permitMinimumSeconds',
    1,
    /more than (\d+) seconds \| client/g,
    /exactly (\d+) seconds left/g,
  ],
  [`${core}/limits.ts`, 'permitMaximumSeconds', 1, /one with exactly (\d+) is accepted/g],
  [`${core}/limits.ts`, 'permitMaximumSeconds', 3600, /longest life \| (\d+) hour/g],
  [`${core}/limits.ts`, 'defaultMaxGasFeeCents', 1, /`maxGasFeeCents` \| (\d+) \|/g],
  [`${core}/limits.ts`, 'permitDefaultSeconds', 60, /permits of (\d+) minutes/g, /the (\d+) minutes start/g],
  [
    `${core}/limits.ts`,
    'defaultMinimumGas',
    1,
    /(?:requires|with(?: at least)?)\s+([\d,]+) gas/g,
    /gas, from 1 to [\d,]+ \(by default ([\d,]+)\)/g,
  ],
  [`${core}/limits.ts`, 'mostMinimumGas', 1, /MAX_MINIMUM_GAS = ([\d_]+)/g, /gas, from 1 to ([\d,]+)/g],
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
    /(?:lives?(?: for)?|valid for at most|keys expire after|as that user for|until it expires,) (\d+) hours/g,
    /expiration, (\d+) hours/g,
  ],
  [
    `${core}/limits.ts`,
    'orderMinutes',
    1,
    /(?:valid for|expires? after|`expires`,|orders expire) (\d+) minutes\b(?:\.| after (?:they were created|creation))/g,
    /(?:payable for|wait) (\w+) minutes/g,
  ],
  ['src/sandbox/service/http/checkCaller.ts', 'perSecond', 1, /Default: (\d+) per second with a burst/g],
  ['src/sandbox/service/http/checkCaller.ts', 'burst', 1, /per second with a burst of ([\d,]+)/g],
  [`${core}/authMessage.ts`, 'clockSkewMs', minute, /issued \(with a tolerance of (\d+) minutes/g],
  [`${core}/authMessage.ts`, 'extraLifeMs', minute, /hours \(with a tolerance of (\w+) minute/g],
  [`${redeem}/checkRedeem.ts`, 'maxAgeSeconds', 60, /before the last check is (\w+) minute old/g],
  [`${redeem}/purchase/readReady.ts`, 'minimumSigningSeconds', 1, /valid for at least (\d+) s more/g],
  [`${redeem}/purchase/usableRecord.ts`, 'clockSlack', 60, /expired (\d+) minutes after its `validBefore`/g],
  [
    `${redeem}/purchase/submitWithRetries.ts`,
    'noticeMs',
    second,
    /After (\d+) seconds (?:it reports the step|`step` is) `stillWaiting`/g,
    /has not (?:confirmed the redeem|responded) for (\d+) seconds/g,
  ],
  [
    `${redeem}/purchase/submitWithRetries.ts`,
    'sendNowMs',
    second,
    /(?:[Aa]fter|or for) (\d+) seconds,? (?:the same step with|with `sendNow`|a click submits)/g,
  ],
  [`${redeem}/purchase/submitWithRetries.ts`, 'longestPauseMs', second, /8\s+and then (\d+) seconds\./g],
  [
    `${redeem}/purchase/checkOtherContracts.ts`,
    'readOrdersMs',
    second,
    /(?:which have|in parallel, within|did not respond within) (\w+) seconds/g,
  ],
  [
    'src/redeemkit/evm/signer/signTypedData.ts',
    'patienceMs',
    1,
    /(\d+) ms (?:longer to answer|after a click)/g,
  ],
  [
    'src/redeemkit/evm/creditPermit/disclosedIntent.ts',
    'mostIntentBytes',
    1,
    /at most ([\d,]+) bytes\. The requests have two/g,
  ],
  [
    'src/redeemkit/evm/usdcToken.ts',
    'usdcVersion',
    1,
    /(?:EIP-712 version|EIP-712 version\. Default) `(\d)`\.?\s(?:Its|\*\/)/g,
  ],
  [
    'src/redeemkit/core/amount.ts',
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
  ['src/redeemkit/merchant/errorAnswer.ts', 'passedOn', 1, /service's ([\d, and]+) pass as/g],
  ['src/redeemkit/merchant/sessionKeys.ts', 'keptMs', hour, /uses it for (\w+) hour, and keeps/g],
  [
    'src/redeemkit/api/endpoints/customer.ts',
    'clockSlackMs',
    minute,
    /ahead of the service's\. Default (\d+) minutes/g,
  ],
  ['src/redeemkit/redeem/checkRedeem.ts', 'capabilityTimeoutMs', second, /waits at most (\w+) second\b/g],
  ['src/redeemkit/api/send.ts', 'timeoutMs', second, /timed out \(after (\d+) seconds by default/g],
  ['src/redeemkit/api/send.ts', 'attempts', 1, /at most (\d+) attempts in all/g],
  ['src/redeemkit/api/send.ts', 'baseMs', 1, /waits of (\d+) ms doubled/g],
  ['src/redeemkit/api/send.ts', 'maxWaitMs', second, /`retry-after` is at most (\d+) seconds/g],
  ['src/redeemkit/api/send.ts', 'maxAnswerBytes', kibi * kibi, /(\d+) MiB(?: of a response| \|)/g],
  [
    'src/redeemkit/merchant/verifyWebhook.ts',
    'toleranceSeconds',
    60,
    /A signature is valid for (\d+) minutes/g,
    /within (\d+) minutes of its own clock/g,
  ],
  [
    'src/redeemkit/solana/usdcTransfer/transferTerms.ts',
    'tokenAccountRent',
    1,
    /at most ([\d,]+) lamports unless/g,
    /allows more, and ([\d,]+) where/g,
  ],
  [
    'src/redeemkit/solana/usdcTransfer/transferTerms.ts',
    'defaultMaxFeeLamports',
    1,
    /at most ([\d,]+) lamports by default/g,
  ],
  ['src/redeemkit/solana/usdcTransfer/transferTerms.ts', 'defaultUnits', 1, /Defaults are ([\d,]+) units/g],
  [
    'src/redeemkit/solana/usdcTransfer/usdcTransfer.ts',
    'computeUnitPrice',
    1,
    /units and ([\d,]+) micro-lamports/g,
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
    /(?:verified once|come|first call,) within (\d+) minutes of (?:its|the message's) issue/g,
    /issued within the last (\w+) minutes/g,
  ],
  [`${service}/checkout/chargeCard.ts`, 'challengeMs', minute, /not answered,\s+(\d+) minutes after/g],
  [`${service}/controls/sandboxControls.ts`, 'faultKinds', 1, /`kind` \| ([\w`, ]+) \|/g],
  [`${service}/controls/sandboxControls.ts`, 'faultStatuses', 1, /`status` \| ([\d, or]+) \|/g],
  [`${service}/controls/sandboxRoutes.ts`, 'limit', 1, /newest first, (\d+) by default/g],
  [`${service}/controls/sandboxControls.ts`, 'keptEntries', 1, /(\d+) are kept/g],
  [`${service}/orders/orderProblems.ts`, 'waitMs', second, /does not respond\s+within (\w+) seconds/g],
  [`${service}/payments/paymentRoutes.ts`, 'limit', 1, /`limit\?` is 1 to 100, by\s+default (\d+)/g],
  [
    `${service}/payments/paymentRoutes.ts`,
    'pageSize',
    1,
    /(?<!is )1 to 100(?:, by default|\. Default) (\d+)/g,
  ],
  [`${service}/reports.ts`, 'limit', 1, /`limit\?` 1 to 100, (\d+) by default/g],
  [`${service}/withdraw/withdrawRoutes.ts`, 'matchThreshold', 1, /(?:0 to 100,|to 100;) (\d+) by\s+default/g],
  [`${service}/withdraw/compareNames.ts`, 'mostLetters', 1, /only the first (\d+) letters count/g],
  ['examples/wallet-extension/src/windows/Request.tsx', 'armingMs', 1, /click on "Sign" only (\d+) ms/g],
  ['src/redeemkit/core/limits.ts', 'mostTransactionBytes', 1, /its transaction is \(([\d,]+) bytes\)/g],
  [`${service}/redeem/checkRedeem.ts`, 'clockSlack', 60, /longest life minus (\w+) minute/g],
  [`${service}/redeem/checkRedeem.ts`, 'shortestLife', 60, /leaves less than (\d+) minutes/g],
  [`${service}/redeem/redeemQueue.ts`, 'mostGasInBatch', 1, /those above ([\d,]+) gas or/g],
  [`${service}/redeem/redeemQueue.ts`, 'mostBytesInBatch', 1, /gas or ([\d,]+) bytes, on Tempo/g],
  [`${service}/subscription/subscriptionRecord.ts`, 'retryDays', 1, /[Rr]etried ([\d, and]+) days after/g],
  [
    `${service}/withdraw/place.ts`,
    'defaultBlockedPlaces',
    1,
    /customers are rejected\. Default: ([^.]+)\./g,
    /Blocked are ([^.]+), or the merchant's own list/g,
  ],
  [
    'src/sandbox/chains/connectEvmChain.ts',
    'defaultConfirmations',
    1,
    /Default: (\d+), or 0 for a node on this machine/g,
    /`confirmations` of a chain\): (\d+) by default/g,
  ],
  [`${service}/redeem/dryRunRedeem.ts`, 'maxDeploymentGas', 1, /wallet first \(at most ([\d,]+) gas/g],
  [
    `${service}/webhooks/webhookSettings.ts`,
    'overlapMs',
    hour,
    /For (\d+) hours the service signs with both/g,
    /replaces another, for (\d+) hours/g,
  ],
  [
    `${service}/webhooks/postWebhook.ts`,
    'retryMs',
    hour,
    /pauses, for (\d+) hours/g,
    /up to (\d+) hours in all/g,
    /`failed` after (\d+) hours/g,
    /Retries end (\d+) hours/g,
  ],
  [
    `${service}/transfers/settleSolanaTransfer.ts`,
    'creationsPerWallet',
    1,
    /\b(\w+) a day per wallet/g,
    /most (\w+) receivers per customer/g,
  ],
  [`${service}/transfers/settleSolanaTransfer.ts`, 'creationsPerDay', 1, /([\d,]+) a day in all/g],
  [`${service}/webhooks/createWebhookSender.ts`, 'leaseMs', minute, /reserved for (\w+) minute/g],
  [
    `${service}/webhooks/postWebhook.ts`,
    'timeoutMs',
    second,
    /Respond within (\d+) seconds/g,
    /An attempt ends after (\d+) seconds/g,
  ],
  [
    'src/sandbox/chains/stellar/stellarAuth.ts',
    'challengeSeconds',
    60,
    /\((\d+) minutes on the local service\)/g,
  ],
  ['src/sandbox/cli/options.ts', 'defaultPort', 1, /(?:127\.0\.0\.1|localhost):(?!3000\b|8545\b)(\d+)/g],
  [
    'src/sandbox/start/fundAccounts.ts',
    'gift',
    1_000_000,
    /([\d,]+) USDC (?:and 1000 dollars|each)/g,
    /([\d,]+) dollars of credits (?:each|and)/g,
  ],
  ['contracts/src/TokenReceiver.sol', 'MAX_TOKENS', 1, /\b1 to (\d+) tokens/g, /Mint at most (\d+) tokens/g],
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

describe('texts that repeat', () => {
  test.each(facts)('%s: %s, by %d', (path, name, unit, ...patterns) => {
    const value = constantIn(path, name)
    const wanted = unit === 1 ? value : `${Number(value) / unit}`
    const said = patterns.flatMap((pattern) => {
      const found = [...sentences].flatMap(([place, text]) =>
        [...text.matchAll(pattern)].map(([words, number = '']) => ({
          place,
          words,
          number: plainText(number),
        })),
      )
      expect(found.length, `texts with ${pattern}`).toBeGreaterThan(0)
      return found
    })
    expect(
      said.filter(({ number }) => number !== wanted),
      `texts that do not say ${wanted}`,
    ).toEqual([])
  })

  test('src/sandbox/service/webhooks/postWebhook.ts: the pauses between attempts', () => {
    const [, said = ''] = /sent again after ([^.]+ h), up to/.exec(texts.get('PROTOCOL.md') ?? '') ?? []
    const units: Record<string, number> = { s: second, min: minute, h: hour }
    const pauses = [...said.matchAll(/(\d+) (s|min|h)\b/g)].map(
      ([, number, unit = '']) => Number(number) * (units[unit] ?? 0),
    )
    expect(pauses.length).toBeGreaterThan(5)
    expect(pauses).toEqual(pauses.map((_, at) => pauseAfter(at + 1)))
    expect(pauseAfter(pauses.length + 1)).toBe(pauses.at(-1))
  })

  test.each([
    ['approved', /(4000[\d ]{12,15})(?:<\/span> is accepted|', cvv: '123', exp)/g],
    ['challenge', /(4000[\d ]{12,15})<\/span> asks for/g],
  ] as const)('src/sandbox/service/checkout/cards.ts: the test card %s', (name, pattern) => {
    const said = [...texts.values()].flatMap((text) =>
      [...text.matchAll(pattern)].map(([, number = '']) => number.replaceAll(' ', '')),
    )
    expect(new Set(said)).toEqual(new Set([testCards[name].number]))
  })

  test('src/redeemkit/schema/purchaseVariables.ts: the variables of the card form', () => {
    for (const page of ['docs/pages/protocol/card-form.md', 'docs/pages/dapp/card-form.md'])
      expect(new Set(texts.get(page)?.match(/(?<=`)--purchase-[a-z-]+(?=`)/g)), page).toEqual(
        new Set(Object.keys(purchaseVariables)),
      )
  })

  test('src/redeemkit/evm/creditPermit/creditPermit.ts: the EIP-712 domain of the credits contract', () => {
    const said = [...texts].flatMap(([place, text]) =>
      [
        /EIP712\("(Credits)", "(\w+)"\)/g,
        /name: '(Credits)', version: '(\w+)'/g,
        /name`? ["`](Credits)["`],? (?:and )?`?version`? ["`](\w+)["`]/g,
        /(?<=domain )`(Credits)`, version `(\w+)`/g,
        /`domainName` \| `(Credits)`[^`]*`\w+`[^`]*`domainVersion` \| `(\w+)`/g,
      ].flatMap((pattern) =>
        [...text.matchAll(pattern)].map(([, name, version]) => ({ place, name, version })),
      ),
    )
    expect(new Set(said.map(({ place }) => place))).toContain('contracts/src/CreditsBase.sol')
    expect(said.length).toBeGreaterThan(8)
    expect(
      said.filter(({ name, version }) => `${name} ${version}` !== Object.values(creditsDomain).join(' ')),
    ).toEqual([])
  })

  test('src/redeemkit/schema/webhookEvent.ts: the page about webhooks has every type', () => {
    const page = texts.get('docs/pages/merchant/webhooks.md') ?? ''
    const rows = [...page.matchAll(/^\| ((?:`[\w.*]+` ?)+)\|/gm)].map(
      ([, types = '']) => types.match(/[\w.*]+/g) ?? [],
    )
    const named = rows.flatMap((types) => {
      const [family] = types[0]?.split('.') ?? []
      return types.map((type) => (type.startsWith('.') ? `${family}${type}` : type))
    })
    const wanted = Object.entries(webhookEventTypes).flatMap(([family, types]) =>
      named.includes(`${family}.*`) ? [`${family}.*`] : types,
    )
    expect(named.sort()).toEqual(wanted.sort())
  })

  test('the manifests: the major versions of peer dependencies', () => {
    let checked = 0
    const wrong: string[] = []
    for (const folder of ['redeemkit', 'sandbox']) {
      const { peerDependencies } = JSON.parse(read(`src/${folder}/package.json`))
      for (const [name, range] of Object.entries<string>(peerDependencies)) {
        const [, sign, least, end] = /^(\^|>=)(\d+)[\d.]*(?: <(\d+))?$/.exec(range) ?? []
        const from = Number(least)
        const most = sign === '^' ? from : Number(end ?? Number.POSITIVE_INFINITY) - 1
        const pattern = new RegExp(
          `(?<![\\w/@-])${name}\`?(?:@| \\| | )(\\d+(?:\\.\\d+)*(?:, \\d+)*(?: (?:or|and) \\d+)?)(?! renames)`,
          'gi',
        )
        for (const [place, text] of texts)
          for (const [words, list = ''] of text.matchAll(pattern)) {
            checked += 1
            const majors = list.split(/, | or | and /).map((version) => Number.parseInt(version, 10))
            const isInRange = majors.every((one) => one >= from && one <= most)
            // A list names all of them.
            const isWhole = majors.length === 1 || majors.length === most - from + 1
            if (!isInRange || !isWhole) wrong.push(`${place}: ${words}, not ${range}`)
          }
      }
    }
    expect(wrong).toEqual([])
    expect(checked).toBeGreaterThan(15)
  })

  test('the manifests: the versions in the table of requirements', () => {
    const { devDependencies } = JSON.parse(read('package.json'))
    const peers = ['redeemkit', 'sandbox'].map(
      (name) => JSON.parse(read(`src/${name}/package.json`)).peerDependencies,
    )
    const required = { ...peers[0], ...peers[1] }
    const [least = 0, end = 0] = numbersIn(peers[0]['@stellar/stellar-sdk']).map(Number)
    const later = Array.from({ length: end - least - 1 }, (_, at) => `${least + 1 + at}`)
    for (const major of later) expect(stellarTests, 'a run with each major').toContain(`sdk${major}.test.ts`)
    const stellarSdks = ['@stellar/stellar-sdk', ...later.map((major) => `stellar-sdk-${major}`)]
    expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(stellarSdks))
    const rows = (texts.get('docs/pages/start/limits.md') ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| '))
    const cells = (name: string) => rows.find((line) => line.startsWith(`| ${name} |`))?.split(' | ') ?? []
    const wanted: [row: string, supported: string[], tested: string[]][] = [
      ['viem', [required.viem], [devDependencies.viem]],
      ['wagmi', [required.wagmi], [devDependencies.wagmi]],
      [
        'React, TanStack Query',
        [required.react, required['@tanstack/react-query']],
        [devDependencies.react, devDependencies['@tanstack/react-query']],
      ],
      ['`@solana/web3.js`', [required['@solana/web3.js']], [devDependencies['@solana/web3.js']]],
      [
        '`@stellar/stellar-sdk`',
        [required['@stellar/stellar-sdk']],
        stellarSdks.map((name) => devDependencies[name]),
      ],
      ['Vitest', [required.vitest], [devDependencies.vitest]],
      [
        'Foundry, Hardhat',
        [],
        [
          devDependencies['@foundry-rs/forge'],
          /'hardhat@([\d.]+)'/.exec(read('test/consumers/hardhat.long.test.ts'))?.[1] ?? '',
        ],
      ],
    ]
    for (const [row, supported, tested] of wanted) {
      const [, least = '', current = ''] = cells(row)
      const shown = (range: string) =>
        /\d+(?:\.\d+)?/.exec(range.replace(/^npm:.*@/, '').replace(/\.0(?:\.0)?(?= |$)/, ''))?.[0]
      for (const range of supported) expect(numbersIn(least), `${row}: ${range}`).toContain(shown(range))
      for (const version of tested) expect(numbersIn(current), `${row}: ${version}`).toContain(shown(version))
    }
  })

  test.each([
    ['redeem/check/intentOf.ts', 'selector', 'bridgeAdapter'],
    ['redeem/chain/readFunds.ts', 'creditsOf', 'creditsOf'],
    ['redeem/chain/readRevert.ts', 'redeemSelector', 'redeem'],
    ['redeem/chain/readRevert.ts', 'batchSelector', 'redeemBatch'],
    ['redeem/chain/readRevert.ts', 'batchItemFailed', 'BatchItemFailed'],
    ['redeem/chain/readLogs.ts', 'redeemedTopic', 'Redeemed'],
    ['evm/creditPermit/orderState.ts', 'selector', 'orderState'],
    ...['orderState', 'bridgeAdapter', 'creditsOf', 'whitelisted', 'cancelCreditsAuthorization'].map(
      (name) => ['mock/createMockChain.ts', name, name] as const,
    ),
  ] as const)('contracts/src/ICredits.sol, in %s: %s is %s', (path, name, item) => {
    const [, value] = new RegExp(`\\b${name}(?: =|:) '(0x\\w+)'`).exec(read(`src/redeemkit/${path}`)) ?? []
    const wanted = creditsAbi.flatMap((one) =>
      'name' in one && one.name === item
        ? one.type === 'event'
          ? toEventSelector(one)
          : one.type === 'function'
            ? toFunctionSelector(one)
            : []
        : [],
    )
    expect(wanted).toContain(value)
  })

  const mainnets = evmNetworks.filter(({ environment }) => environment === 'prod')
  test.each([
    ['src/redeemkit/core/evmNetworks.ts: the chains', mainnets.map(({ name }) => name.replace(/ One$/, ''))],
    ['src/sandbox/runningSandbox.ts: testAccountNames', testAccountNames],
  ])('%s, in the order of %j', (_, names) => {
    const said = [...texts].flatMap(([place, text]) =>
      [...text.replaceAll('`', '').matchAll(new RegExp(`\\b${names[0]}, [\\w, ]+? and \\w+\\b`, 'g'))].map(
        ([words]) => ({ place, words }),
      ),
    )
    expect(said.length).toBeGreaterThan(1)
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

describe('texts name only existing', () => {
  const documents = [...texts].filter(
    ([path]) => path.endsWith('.md') && !path.startsWith('src/') && !path.startsWith('contracts/'),
  )
  const code = [...texts].filter(([path]) => !path.endsWith('.md')).map(([, text]) => codeOf(text))
  for (const file of readdirSync(join(root, 'test/vectors'), { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.json')) code.push(read(`test/vectors/${file}`))
  const names = new Set(code.flatMap((text) => text.match(/\w+/g) ?? []).map((name) => name.toLowerCase()))

  /** Returns the names in texts that match a pattern and are not known. Lines of comments are joined. */
  const unknownIn = (
    places: Iterable<[place: string, text: string]>,
    pattern: RegExp,
    isKnown: (name: string) => boolean,
  ) => {
    const named = [...places].flatMap(([place, text]) =>
      (unwrapped(text).match(pattern) ?? []).map((name) => ({ place, name })),
    )
    expect(named.length, `texts with ${pattern}`).toBeGreaterThan(20)
    return named.filter(({ name }) => !isKnown(name)).map(({ place, name }) => `${place}: ${name}`)
  }

  test('functions, fields, codes, addresses and hashes', () => {
    const isKnown = (name: string) =>
      names.has(name.toLowerCase()) || foreign.includes(name) || name.startsWith('REDEEMKIT_')
    const named = /(?<=`)(?:[a-z]+[A-Z]\w+|0x[\da-fA-F]{40,}|[1-9A-HJ-NP-Za-km-z]{32,90})(?=(?:\([^`]*\))?`)/g
    expect(unknownIn(documents, named, isKnown)).toEqual([])
    expect(unknownIn(texts, /(?<=`)[A-Z][A-Z\d]*_[A-Z\d_]+(?=`)/g, isKnown)).toEqual([])
  })

  test('files, in the README of each folder', () => {
    const files = [...trackedTexts(/./).keys()]
    const missing = files
      .filter(
        (path) =>
          /^(?:contracts|examples|src|test)\/.*\/README\.md$/.test(path) && !/^src\/\w+\/README/.test(path),
      )
      .flatMap((path) =>
        [...read(path).matchAll(/`([\w/.-]*\w\.(?:tsx?|sol|mjs))`/g)].map(([, name = '']) => ({
          path,
          name,
        })),
      )
      .filter(
        ({ name }) => !files.some((file) => `/${file}`.endsWith(`/${name.replace(/^(?:\.\.?\/)+/, '')}`)),
      )
    expect(missing).toEqual([])
  })

  test('paths of the service', () => {
    const paths = routes.map(({ path }) => path.split('/'))
    const unknown = unknownIn(texts, /(?<![a-z.@])\/(?:api|sandbox)\/[\w/{}:-]*/g, (name) => {
      const parts = name
        .replace(/\/$/, '')
        .replaceAll(/\{(\w+)\}/g, ':$1')
        .split('/')
      return paths.some((path) =>
        parts.every((part, at) => part === path[at] || (path[at]?.startsWith(':') && !part.startsWith(':'))),
      )
    })
    expect(unknown.filter((name) => !/\/api\/redeemkit\b/.test(name))).toEqual([])
  })

  test('headers', () => {
    const known = [...Object.values(headerNames()), webhookSignatureHeader(), defaultHeaderPrefix]
    expect(unknownIn(texts, /\bx-(?:device|svc)-[a-z-]*/g, (name) => known.includes(name))).toEqual([])
  })

  const { commands } = createCommand()
  const optionsOf = (command: (typeof commands)[number]) =>
    [command, ...command.commands].flatMap(({ options }) => options.map(({ long }) => long))

  test('options of commands and variables of style', () => {
    const buttons = texts.get('src/redeemkit/react/RedeemButton.tsx') ?? ''
    const known = [
      ...commands.flatMap(optionsOf),
      ...Object.keys(purchaseVariables),
      ...[...buttons.matchAll(/\bown\('([a-z-]+)'\)/g)].map(([, name]) => `--redeem-${name}`),
      ...['--help', '--import', '--wasm-tiering-budget'], // of Commander and Node
    ]
    const cli = [...texts].filter(([path]) => path.startsWith('src/sandbox/cli/'))
    expect(unknownIn(documents, /(?<=`)--[a-z\d-]+/g, (name) => known.includes(name))).toEqual([])
    expect(unknownIn(cli, /(?<![\w-])--[a-z\d-]+/g, (name) => known.includes(name))).toEqual([])
  })

  test('commands and their options', () => {
    const lines = documents.flatMap(([place, text]) =>
      [...text.matchAll(/npx redeemkit ([a-z]+)((?:[^`\n#;]|\\\n)*)/g)].map(([, name = '', rest = '']) => ({
        place,
        name,
        rest,
      })),
    )
    expect(lines.length).toBeGreaterThan(20)
    const unknown = lines.flatMap(({ place, name, rest }) => {
      const command = commands.find((one) => one.name() === name)
      if (command === undefined) return name === 'help' ? [] : [`${place}: ${name}`]
      const used = rest.match(/(?<=\s)--[a-z-]+/g) ?? []
      return used
        .filter((option) => ![...optionsOf(command), '--help'].includes(option))
        .map((option) => `${place}: ${name} ${option}`)
    })
    expect(unknown).toEqual([])
  })

  test('variables that `redeemkit sandbox --env` writes', () => {
    const chain = { blockchain: 'base', chainId: 1, rpcUrl: '', forked: false, creditsContract: '', usdc: '' }
    const account = { address: '', privateKey: '' }
    const running = {
      url: '',
      merchantId: '',
      creditSeed: '',
      apiKey: '',
      jwtSecret: '',
      chains: { base: chain },
      accounts: { alice: account, bob: account },
    }
    // Reads only these fields of a running sandbox.
    const settings = sandboxSettings(running as unknown as Parameters<typeof sandboxSettings>[0])
    const written: readonly string[] = envText(settings).match(/^REDEEMKIT_\w+/gm) ?? []
    const used = [...texts]
      .filter(([path]) => !path.startsWith('src/'))
      .flatMap(([place, text]) => (text.match(/\bREDEEMKIT_[A-Z_]+/g) ?? []).map((name) => ({ place, name })))
    expect(used.length).toBeGreaterThan(20)
    expect(used.filter(({ name }) => !written.includes(name))).toEqual([])
  })
})

/** Returns the code without comments and sentences, so that a name that only these contain counts as missing. */
function codeOf(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
    .replaceAll(/'[^'\n]*'|"[^"\n]*"/g, (quoted) => (quoted.includes(' ') ? '' : quoted))
}

const stellarTests = readdirSync(join(root, 'src/redeemkit/stellar'))

/** Returns the versions in a sentence: `18`, `5.62`. */
const numbersIn = (text: string): string[] => text.match(/\d+(?:\.\d+)?/g) ?? []

/** Names of Hardhat, of patterns such as `fQueryOptions`, and a hash that `protocol.test.ts` computes. */
const foreign = [
  'loadFixture',
  'viaIR',
  'fMutationOptions',
  'fQueryOptions',
  'fetchDescriptor', // of MetaMask
  'peerDependencies', // of npm
  'redirectUrl', // of other services
  'SIGNING_KEY', // of SEP-1
  '0x907bc82b153b36246e159e782d345d691c7781d9f3eb0cecb2878185e7745378',
]

/** Returns each option that a docstring describes: its own, or a tag of its function. */
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

/** Returns the default of an option, as code writes it: `name = 1`, `name: type = 1` or `name ?? 1`. Constants are resolved. */
function defaultsIn(text: string, name: string): string[] {
  const sign = `(?:(?:: \\w+)? =| \\?\\?) (?:options\\.${name} \\?\\? )?(?:\\(\\S+ === undefined \\? )?`
  return givenIn(text, `\\b${name}${sign}`)
}

/** Returns the value in an object of defaults: `name: 1`. */
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

/** Each meaning has one error class, and each name has one meaning. */

const sourceRoot = fileURLToPath(new URL('../../src', import.meta.url))

/** Returns every error class of the sources, with the files that declare it. */
function errorClasses(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const entry of readdirSync(sourceRoot, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/(?<!\.(?:test|fixture))\.ts$/.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^(?:export )?class (\w+Error) /gm))
      found.set(name, [...(found.get(name) ?? []), relative(sourceRoot, file)])
  }
  return found
}

test('every error class is declared once', () => {
  const classes = errorClasses()
  expect(classes.size).toBeGreaterThan(50)
  expect([...classes].filter(([, files]) => files.length > 1)).toEqual([])
})

test('no error class has the name of a wire error', () => {
  const wireNames = new Set<string>(Object.values(wireErrors).map(({ name }) => name))
  expect([...errorClasses().keys()].filter((name) => wireNames.has(name))).toEqual([])
})
