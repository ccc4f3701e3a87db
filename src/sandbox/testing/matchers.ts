import { type Abi, encodeErrorResult, type Hex } from 'viem'
import { checkOptions } from '../../redeemkit/core/checkOptions.ts'
import { InvalidOptionError } from '../../redeemkit/core/errors/inputErrors.ts'
import { showValue } from '../../redeemkit/core/errors/showValue.ts'
import { checkAddress } from '../../redeemkit/evm/checkAddress.ts'
import type { RedeemReport } from '../simulation/redeemReport.ts'
import { type RuleCode, ruleCatalogue } from '../simulation/rules/ruleCatalogue.ts'
import { formatReport } from '../simulation/text/formatReport.ts'

type Arguments<matcher> = matcher extends (received: never, ...args: infer args) => unknown ? args : never

/** The matchers as methods of `expect(received)`. They return a promise if `received` is a promise. */
export type RedeemMatchers<received> = {
  [name in keyof typeof matchers]: (
    ...args: Arguments<(typeof matchers)[name]>
  ) => received extends PromiseLike<unknown> ? Promise<void> : void
}

/** Asserts that the redeem succeeds, and breaks no rule of severity danger unless that rule is allowed. */
const toSettle = reportMatcher(
  'toSettle',
  ({ execution, findings }, options: { allow?: readonly RuleCode[] | undefined } = {}) => {
    checkOptions(options, { allow: 'list?' })
    const { allow = [] } = options
    for (const code of allow) checkCode(code)
    const broken = findings.filter(({ severity, code }) => severity === 'danger' && !allow.includes(code))
    return {
      expected: `settles${allow.length === 0 ? '' : `, ${allow.join(' and ')} allowed`}`,
      problems: [
        ...(execution.succeeded ? [] : [`It reverts: ${execution.reason}`]),
        ...broken.map(({ code, message, fix }) => `${code}: ${message}${fix === undefined ? '' : ` ${fix}`}`),
      ],
    }
  },
)

function checkCode(code: string): void {
  const codes: readonly string[] = ruleCatalogue.map((rule) => rule.code)
  if (!codes.includes(code))
    throw new InvalidOptionError(`${showValue(code)} is not a rule.`, {
      field: 'allow',
      fix: `Pass one of ${codes.join(', ')}.`,
    })
}

type Delivery = {
  /** The ERC-721 or ERC-1155 contract. */
  contract: Hex
  /** Token id. Default: any token. */
  id?: bigint | undefined
  /** Final owner. Default: the customer. */
  to?: Hex | undefined
}

/** Asserts that the redeem succeeds, and that the customer (or `to`) then owns a token of the contract. */
const toDeliverNft = reportMatcher('toDeliverNft', ({ execution, nfts, redeem }, delivery: Delivery) => {
  checkOptions(delivery, { contract: 'string', id: 'any', to: 'string?' })
  const contract = checkAddress(delivery.contract, 'contract')
  const to = checkAddress(delivery.to ?? redeem.wallet, 'to')
  const { id } = delivery
  const ofContract = nfts.filter((nft) => checkAddress(nft.contract, 'nft') === contract)
  const delivered = ofContract.some(
    (nft) => (id === undefined || nft.id === id) && checkAddress(nft.holder, 'holder') === to,
  )
  const moved = ofContract.map((nft) => `Token ${nft.id} belongs to ${nft.holder} (${nft.holderIs}).`)
  return {
    expected: `delivers ${id === undefined ? 'a token' : `token ${id}`} of ${contract} to ${to}`,
    problems: !execution.succeeded
      ? [`It reverts: ${execution.reason}`]
      : delivered
        ? []
        : moved.length === 0
          ? ['No token of this contract moved.']
          : moved,
  }
})

/** An error name (`SoldOut`), the text of a `require`, a pattern for the whole reason, or an error with its arguments and ABI. */
export type ExpectedRevert =
  | string
  | RegExp
  | { abi: readonly unknown[]; errorName: string; args?: readonly unknown[] | undefined }

const toRevertWith = reportMatcher('toRevertWith', ({ execution }, expected: ExpectedRevert) => ({
  expected: `reverts with ${show(expected)}`,
  problems: execution.succeeded
    ? ['It succeeds.']
    : isThis(execution, expected)
      ? []
      : [`It reverts with ${execution.error === undefined ? '' : `${execution.error}, `}${execution.reason}`],
}))

/**
 * Matchers for the report of a redeem: `toSettle`, `toDeliverNft`, `toRevertWith`. `@redeemkit/sandbox/testing/vitest`
 * registers them in Vitest. Elsewhere, call `expect.extend`.
 *
 * @example
 * ```ts
 * import { matchers } from '@redeemkit/sandbox/testing'
 * declare const expect: { extend: (matchers: object) => void }
 * expect.extend(matchers)
 * ```
 */
export const matchers = { toSettle, toDeliverNft, toRevertWith }

function show(expected: ExpectedRevert): string {
  if (typeof expected === 'string' || expected instanceof RegExp) return String(expected)
  const { errorName, args = [] } = expected
  return `${errorName}(${args.map(String).join(', ')})`
}

function isThis(
  { error, reason, data }: { error: string | undefined; reason: string; data: string },
  expected: ExpectedRevert,
): boolean {
  if (expected instanceof RegExp) return expected.test(reason)
  if (typeof expected === 'string') return error === expected || reason === expected
  const { abi, errorName, args = [] } = expected
  // viem validates the arguments, and the parts of an untyped ABI that it uses.
  return encodeErrorResult({ abi: abi as Abi, errorName, args }) === data
}

type MatcherResult = { pass: boolean; message: () => string }

/** The expectation, and the problems that contradict it. */
type Judgement = { expected: string; problems: readonly string[] }

function reportMatcher<args extends readonly unknown[]>(
  name: string,
  judge: (report: RedeemReport, ...args: args) => Judgement,
): (received: unknown, ...args: args) => MatcherResult | Promise<MatcherResult> {
  const match = (received: unknown, args: args): MatcherResult => {
    if (!isReport(received))
      throw new InvalidOptionError(`expect(…).${name} got ${showValue(received)}, which is not a report.`, {
        field: 'received',
        fix: 'Pass the result of simulateRedeem or redeem of a fork.',
      })
    const { expected, problems } = judge(received, ...args)
    const pass = problems.length === 0
    return {
      pass,
      message: () =>
        [
          pass
            ? `Expected the redeem not to match, but it ${expected}.`
            : `Expected that the redeem ${expected}:`,
          ...problems.map((problem) => `  ${problem}`),
          '',
          formatReport(received, { columns: 100, colour: false }),
        ].join('\n'),
    }
  }
  return (received, ...args) =>
    received instanceof Promise ? received.then((report) => match(report, args)) : match(received, args)
}

function isReport(value: unknown): value is RedeemReport {
  const { execution, findings, callTree } = Object(value) as Record<string, unknown>
  return Object(execution) === execution && Array.isArray(findings) && Object(callTree) === callTree
}
