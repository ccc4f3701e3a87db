import { stripVTControlCharacters, styleText } from 'node:util'
import Table from 'cli-table3'
import { createPaymentsClient, type PaymentsClient } from '../../../redeemkit/api/createPaymentsClient.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import type { AccountSigner } from '../../../redeemkit/evm/signer/toSigner.ts'
import { freeObject } from '../../../redeemkit/schema/values.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import type { DemoSandbox } from './demoSandbox.ts'

/** Runs on the demo's sandbox, and throws an error if a check fails. */
export type DemoPart = {
  title: string
  /** @returns a function that prints the result, which the demo calls after all parts have run */
  run: (demo: DemoSandbox, progress: (text: string) => void) => Promise<() => void>
}

class DemoError extends Error {
  override readonly name = 'DemoError'
}

export function check(isTrue: boolean, what: string): asserts isTrue {
  if (!isTrue) throw new DemoError(`Check failed: ${what}`)
}

/** Returns the error of a function that must fail, as text for a table. Without `errorName`, any redeemkit error is expected. */
export async function refused(run: () => Promise<unknown>, errorName?: string): Promise<string> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const message = `${error.name}: ${error.shortMessage}`
    check(errorName === undefined || error.name === errorName, `expected ${errorName}, but got: ${message}`)
    return message
  }
  throw new Error('Check failed: it should have been rejected, but it succeeded.')
}

/** Like `refused`, but also checks that the wallet was not prompted. */
export async function refusedBeforePrompt(
  prompts: readonly unknown[],
  run: () => Promise<unknown>,
  errorName?: string,
): Promise<string> {
  const before = prompts.length
  const why = await refused(run, errorName)
  check(prompts.length === before, 'the wallet was not prompted')
  return why
}

export type Refusal = [attack: string, rejectedBy: 'client' | 'service' | 'contract', why: string]

export function printRefusals(title: string, rows: readonly Refusal[], note: string): void {
  printTable(title, {
    head: ['rejected by', 'attack, with the reason below it'],
    rows: rows.map(([attack, rejectedBy, why]) => [rejectedBy, `${attack}\n${shortened(why)}`]),
    note,
  })
}

export function recordingSigner(own: AccountSigner) {
  const prompts: unknown[] = []
  const recorded = <prompt>(prompt: prompt) => {
    prompts.push(prompt)
    return prompt
  }
  const signer: AccountSigner = {
    ...own,
    signTypedData: (typedData) => own.signTypedData(recorded(typedData)),
    signMessage: (message) => own.signMessage(recorded(message)),
  }
  return { signer, prompts }
}

export function clientOf(
  { sandbox }: DemoSandbox<ServiceKind>,
  options: Omit<createPaymentsClient.Options, 'baseUrl' | 'merchantId'>,
): PaymentsClient {
  return createPaymentsClient({ ...options, baseUrl: sandbox.url, merchantId: sandbox.merchantId })
}

/** Alice's client for the two routes that prepare and submit a sponsored USDC transfer. */
export function usdcTransferOf(
  demo: DemoSandbox,
  customer: { blockchain: 'solana' | 'stellar'; wallet: string },
) {
  const { blockchain } = customer
  const client = clientOf(demo, customer)
  const post = (path: string, body: object) =>
    client.request({ method: 'POST', path, body, answer: freeObject, repeatable: false })
  return {
    prepare: async (payment: {
      destination: string
      amount: { cents: number }
      paymentId?: string
      call?: { contract: string; functionName: string; args: readonly string[] }
    }) => {
      const answer = await post('/sandbox/usdc-transfer', { blockchain, ...payment })
      const { id, transaction, sponsor } = answer
      check(typeof id === 'string' && typeof transaction === 'string', 'the service returns a transaction')
      check(typeof sponsor === 'string' && sponsor !== customer.wallet, 'a sponsor pays the fee')
      return { id, transaction, sponsor, answer }
    },
    /** @returns the hash of the confirmed transfer */
    submit: async (signed: { id: string; transaction: string }): Promise<string> => {
      const { hash } = await post('/sandbox/usdc-transfer/submit', signed)
      check(typeof hash === 'string', 'the service returns a hash')
      return hash
    },
  }
}

export function printTable(title: string, options: TableOptions & { note?: string }): void {
  print(`\n${styleText('bold', title)}\n${tableText(options)}`)
  if (options.note !== undefined) print(styleText('dim', options.note))
}

type TableOptions = {
  head: readonly string[]
  rows: readonly (readonly string[])[]
  right?: readonly number[]
}

/** @param columns width of the terminal. Default: 100 if the output is a file */
export function tableText(options: TableOptions, columns = process.stdout.columns ?? 100): string {
  const { head, rows, right = [] } = options
  const table = new Table({
    head: [...head],
    colWidths: columnWidths([head, ...rows], columns),
    wordWrap: true,
    colAligns: head.map((_, column) => (right.includes(column) ? 'right' : 'left')),
    style: { head: ['bold'], border: ['dim'] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  })
  table.push(...rows.map((row) => [...row]))
  return `${table}`
}

/** Columns are as wide as their text. On a narrow terminal the widest columns wrap between words. */
function columnWidths(rows: readonly (readonly string[])[], columns: number): number[] {
  const padding = 2
  const longest = (parts: (text: string) => number) =>
    (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => parts(row[column] ?? ''))) + padding)
  const longestOf = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length))
  const widths = longest((text) => longestOf(text.split('\n')))
  const least = longest((text) => longestOf(text.split(/\s/)))
  const room = columns - widths.length - 1
  while (widths.reduce((sum, width) => sum + width, 0) > room) {
    const wrapping = widths.map((width, column) => (width > (least[column] ?? 0) ? width : 0))
    const widest = Math.max(...wrapping)
    if (widest === 0) break
    widths[wrapping.indexOf(widest)] = widest - 1
  }
  return widths
}

/** Omits colours if the output is a file. */
export function print(text: string): void {
  console.log(process.stdout.isTTY ? text : stripVTControlCharacters(text))
}

/** Shortens addresses, hashes and long words, and limits the text to one line. */
export function shortened(text: string): string {
  // Matches EVM hex, Stellar addresses and values, Solana base58, and hashes without 0x.
  const message = text.replace(/0x[0-9a-fA-F]{40,}|\b[A-Za-z0-9+/]{32,}={0,2}/g, short)
  return message.length > 160 ? `${message.slice(0, 159)}…` : message
}

export function short(hex: string): string {
  return `${hex.slice(0, 8)}…${hex.slice(-4)}`
}
