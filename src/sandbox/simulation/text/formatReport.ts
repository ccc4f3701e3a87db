import type { InvalidAmountError } from '../../../redeemkit/core/amount.ts'
import { showText } from '../../../redeemkit/core/errors/showValue.ts'
import { dollars } from '../../../redeemkit/evm/findingTexts.ts'
import type { CallFrame, RedeemReport, RuleFinding } from '../redeemReport.ts'
import { pathTo } from '../trace/frames.ts'
import { type AddressNames, reportNames, usdcOf } from './addressNames.ts'
import { formatCallTree } from './formatCallTree.ts'
import { fewestColumns, layOutLine, layOutParagraph, type Page, type Piece } from './layOut.ts'

/**
 * Formats a report for a terminal: the verdict, broken rules, whitelist, result, USDC, tokens, gas and cost, leftovers, the call
 * tree, and all addresses in full.
 *
 * No line exceeds `columns`. Text from contracts is sanitized so that it cannot control the terminal.
 *
 * @example
 * ```ts
 * import { formatReport } from './formatReport.ts'
 * declare const report: import('../redeemReport.ts').RedeemReport
 * process.stdout.write(`${formatReport(report, { columns: process.stdout.columns, colour: process.stdout.isTTY })}\n`)
 * ```
 */
export function formatReport(report: RedeemReport, options: formatReport.Options = {}): string {
  const { columns = 100, colour = false } = options
  const page: Page = { columns: Math.max(columns, fewestColumns), colour }
  const names = reportNames(report)
  const { execution } = report
  const sections = [
    headline(report),
    ...report.findings.map(findingSection),
    ...notJudged(report),
    whitelisted(report),
    executed(report, names),
    usdcSection(report, names),
    nfts(report, names),
    gas(report),
    cost(report),
    leftBehind(report),
  ]
  const tree = formatCallTree(report.callTree, {
    page,
    names,
    usdc: usdcOf(report.callTree),
    failedAt: execution.succeeded ? undefined : execution.at,
  })
  return [
    ...sections.flatMap((section) => layOutSection(section, names, page)),
    '',
    layOutLine(
      [
        { text: 'Calls', style: 'bold' },
        { text: ' and their gas', style: 'dim' },
      ],
      page,
    ),
    tree,
    '',
    layOutLine([{ text: 'Addresses', style: 'bold' }], page),
    ...names
      .shown()
      .map(({ name, address }) => layOutLine([{ text: name.padEnd(18) }, { text: address }], page)),
  ].join('\n')
}

export declare namespace formatReport {
  type Options = {
    /** Width of the terminal. Default 100, minimum 40. */
    columns?: number | undefined
    /** Whether to use colours. Default false. */
    colour?: boolean | undefined
  }
  /** Thrown only for a report with a negative amount, which no simulation returns. */
  type ErrorType = InvalidAmountError
}

type Section = { mark: Mark; label: string; paragraphs: readonly (Piece | string)[]; gap?: boolean }

const section = (mark: Mark, label: string, paragraphs: Section['paragraphs']): Section => ({
  mark,
  label,
  paragraphs,
})

type Mark = keyof typeof markStyles
const markStyles = { '✓': 'green', '✗': 'red', '!': 'yellow', '?': 'yellow', '·': 'dim' } as const

function layOutSection(section: Section, names: AddressNames, page: Page): string[] {
  const { mark, label, paragraphs, gap = false } = section
  const isOwnLine = label.length + 3 > labelWidth
  const head: Piece[] = [
    { text: `${mark} `, style: markStyles[mark] },
    { text: label, style: 'bold' },
  ]
  const lines = gap ? [''] : []
  if (isOwnLine) lines.push(layOutLine(head, page))
  for (const [place, paragraph] of paragraphs.entries()) {
    const { text, style }: Piece = typeof paragraph === 'string' ? { text: paragraph } : paragraph
    const isFirst = place === 0 && !isOwnLine
    const start = isFirst
      ? [...head, { text: ' '.repeat(labelWidth - label.length - 2) }]
      : [{ text: ' '.repeat(labelWidth) }]
    lines.push(...layOutParagraph(start, { text: names.in(text), style }, page))
  }
  return lines
}

const labelWidth = 15

function headline(report: RedeemReport): Section {
  const { verdict, findings, execution, redeem } = report
  const end = execution.succeeded ? 'The redeem succeeds' : 'The redeem fails'
  const unchecked = report.notJudged.length === 0 ? '' : ' that was checked'
  const dangers = findings.filter(({ severity }) => severity === 'danger')
  const [mark, label, text] = {
    ok: ['✓', 'OK', `${end} and breaks no rule${unchecked}.`] as const,
    caution: ['!', 'Caution', `${end}, with ${count(findings, 'warning')}.`] as const,
    refuse: [
      '✗',
      'Refuse',
      execution.succeeded
        ? `The redeem ${redeem.hash === undefined ? 'would be' : 'was'} executed, but someone can lose money or tokens: ${count(dangers, 'finding')}.`
        : `${end}.`,
    ] as const,
  }[verdict]
  const { shape, amount, usdcAmount, wallet, creditSeed, hash, blockNumber, signatures, target } = redeem
  const paid = usdcAmount === 0n ? '' : ` (${dollars(usdcAmount)} of it in USDC)`
  const call = redeem.signature ?? redeem.selector
  return section(mark, label, [
    { text, style: markStyles[mark] },
    `A redeem of type ${shape}: ${dollars(amount)}${paid}, for ${wallet}, credit seed ${showText(creditSeed, 60)}, ${
      call === undefined ? 'paid to' : `calls ${call} of`
    } ${target}.`,
    hash === undefined
      ? `Simulated on block ${blockNumber}, not sent.${signatures === 'assumed' ? ' Nothing was signed: a contract that accepts every signature replaced the wallet.' : ''}`
      : `Transaction ${hash}, block ${blockNumber}.`,
  ])
}

function count(findings: readonly RuleFinding[], word: string): string {
  return `${findings.length} ${findings.length === 1 ? word : `${word}s`}`
}

function findingSection({ severity, code, message, fix }: RuleFinding, place: number): Section {
  const mark = severity === 'danger' ? '✗' : severity === 'warning' ? '!' : '·'
  return {
    mark,
    label: code,
    gap: place === 0,
    paragraphs: [
      message,
      ...(fix === undefined ? [] : [{ text: `What to do: ${fix}`, style: 'cyan' } as const]),
    ],
  }
}

function notJudged({ notJudged }: RedeemReport): Section[] {
  return [...new Set(notJudged.map(({ reason }) => reason))].map((reason) => {
    const codes = notJudged.flatMap((rule) => (rule.reason === reason ? [rule.code] : []))
    return section('?', 'Not checked', [reason, codes.join(', ')])
  })
}

function whitelisted(report: RedeemReport): Section {
  const [mark, ...paragraphs] = whitelistTexts(report)
  return { ...section(mark, 'Whitelisted', paragraphs), gap: true }
}

function whitelistTexts({ whitelist, redeem }: RedeemReport): [Mark, ...string[]] {
  const { isNeeded, isAllowed, minimumGas, forbidden, isAssumed, allowedSelectors } = whitelist
  if (!isNeeded) return ['✓', 'not needed: a token redeem makes no call']
  const what = `${redeem.signature ?? redeem.selector ?? 'the call'} of ${redeem.target}`
  if (isAllowed) {
    const least = minimumGas === undefined ? '' : `, with at least ${minimumGas.toLocaleString('en-US')} gas`
    return ['✓', `yes: ${what}${least}`]
  }
  if (forbidden !== undefined) return ['✗', `no, and no entry can allow it: ${forbidden}`]
  // An entry for any function does not cover these (PROTOCOL.md 6.3).
  const others = allowedSelectors.map((selector) =>
    selector === 'any' ? 'any function whose data holds no further calls' : selector,
  )
  return [
    '✗',
    `no: ${what}`,
    others.length === 0
      ? 'Nothing is allowed for this target.'
      : `Allowed for this target: ${others.join(', ')}.`,
    ...(isAssumed ? ['USDC, NFTs, gas and cost below are those of the same redeem with an entry.'] : []),
  ]
}

function executed({ verdict, execution, redeem, callTree }: RedeemReport, names: AddressNames): Section {
  const label = 'Executed'
  if (execution.succeeded) {
    const isRefused = verdict === 'refuse'
    const text = redeem.hash === undefined ? 'yes, it would be executed' : 'yes'
    return isRefused ? section('!', label, [`${text}, despite the findings`]) : section('✓', label, [text])
  }
  const { at, contract, reason, fix } = execution
  return section('✗', label, [
    `no: ${names.of(contract)} failed at ${callPath(callTree, at, names)}`,
    { text: reason, style: 'red' },
    { text: `What to change: ${fix}`, style: 'cyan' },
  ])
}

/** Returns the called functions, such as `Credits.redeem › target.buy › USDC.transferFrom`, without proxy implementations. */
function callPath(root: CallFrame, at: readonly number[], names: AddressNames): string {
  const steps = pathTo(root, at).flatMap(({ type, to, text, input }) => {
    if (type === 'DELEGATECALL') return []
    const name = text === undefined ? input.slice(0, 10) : (/^[\w$]+/.exec(text)?.[0] ?? '')
    return to === undefined ? 'a new contract' : `${names.of(to)}.${name}`
  })
  return steps.length <= 6 ? steps.join(' › ') : [...steps.slice(0, 3), '…', ...steps.slice(-2)].join(' › ')
}

function usdcSection({ usdc }: RedeemReport, names: AddressNames): Section {
  const { approved, pulled, refunded, received, wanted } = usdc
  const refused = wanted.filter(({ given }) => !given)
  const paragraphs: (string | Piece)[] = [
    `${dollars(approved)} approved, ${dollars(pulled)} pulled, ${dollars(refunded)} returned as credits`,
    ...shorten(received.map(({ account, amount }) => `+ ${dollars(amount)} ${names.of(account)}`)),
    ...shorten(
      refused.map(({ by, from, to, amount, done }) => {
        const [asks, payer, payee] = [by, from, to].map(names.of)
        const [what, did] = done ? ['reverted', 'took'] : ['failed', 'requested']
        return `${what}: ${asks} ${did} ${dollars(amount)} from ${payer}${payee === asks ? '' : ` for ${payee}`}`
      }),
    ).map((text) => ({ text, style: 'red' as const })),
  ]
  return section(pulled === approved ? '✓' : pulled === 0n ? '✗' : '!', 'USDC', paragraphs)
}

function nfts({ nfts }: RedeemReport, names: AddressNames): Section {
  if (nfts.length === 0) return section('·', 'NFTs', ['none moved'])
  const isDelivered = nfts.every(({ holderIs }) => holderIs === 'customer' || holderIs === 'receiver')
  const isStuck = nfts.some(({ holderIs }) => holderIs === 'credits contract' || holderIs === 'relayer')
  return section(
    isDelivered ? '✓' : isStuck ? '✗' : '·',
    'NFTs',
    shorten(
      nfts.map(({ contract, standard, id, amount, mintedTo, holder, holderIs }) => {
        const many = amount === 1n ? '' : `${amount} of `
        const name = names.of(holder)
        const who = holderTexts[holderIs] === name ? name : `${name} (${holderTexts[holderIs]})`
        const number = id.toString().length > 24 ? `0x${id.toString(16).slice(0, 8)}…` : `${id}`
        const minted = mintedTo === undefined ? 'transferred' : `minted to ${names.of(mintedTo)}`
        return `${standard} ${many}#${number} of ${names.of(contract)}: ${minted}, now owned by ${who}`
      }),
    ),
  )
}

const holderTexts = {
  customer: 'customer',
  receiver: 'the receiver in the call data',
  'credits contract': 'Credits',
  relayer: 'relayer',
  merchant: 'the merchant',
  'another account': 'another account',
} as const

function gas({ gas, execution }: RedeemReport): Section {
  const { used, call, suggestedMinimumGas } = gas
  const parts = [
    `${used.toLocaleString('en-US')} used`,
    ...(call === undefined ? [] : [`${call.toLocaleString('en-US')} by the call`]),
    ...(suggestedMinimumGas === undefined || !execution.succeeded
      ? []
      : [`recommended minimumGas of an entry: ${suggestedMinimumGas.toLocaleString('en-US')}`]),
  ]
  return section('·', 'Gas', [parts.join(', ')])
}

function cost({ gas: { fee, charged }, usdc: { refunded } }: RedeemReport): Section {
  const parts = [
    fee === undefined ? 'gas fee unknown: no gas price was given' : `gas fee ${dollars(fee)}`,
    ...(charged === undefined ? [] : [`${dollars(charged)} of credits charged`]),
    ...(charged === undefined || refunded === 0n ? [] : [`${dollars(charged - refunded)} after the refund`]),
  ]
  return section('·', 'Cost', [parts.join(', ')])
}

function leftBehind({ leftBehind: lines }: RedeemReport): Section {
  return lines.length === 0
    ? section('✓', 'Left behind', ['nothing'])
    : section('✗', 'Left behind', shorten(lines))
}

function shorten(lines: readonly string[]): string[] {
  return lines.length <= mostLines
    ? [...lines]
    : [...lines.slice(0, mostLines), `… and ${lines.length - mostLines} more`]
}

const mostLines = 8
