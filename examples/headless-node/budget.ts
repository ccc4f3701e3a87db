import { formatUsd } from 'redeemkit'
import type { FileStorage } from './fileStorage.ts'
import type { Payment, Settings } from './settings.ts'

/** What the agent has set aside for a payment, or has paid. Amounts in raw units as text: 1 USD is "1000000". */
export type Entry = Payment & {
  /** The day (UTC) whose budget it counts against. */
  day: string
  /** `reserved` from before anything is signed until the end is known. */
  state: 'reserved' | 'paid'
  /** The most that it can cost, and what it did cost once it is paid. */
  spent: string
  hash?: string
}

export type Budget = {
  /** Sets the most that a payment can cost aside, before anything is signed. Reserved again, it is the same entry. */
  reserve: (payment: Payment) => Promise<Entry>
  /** Notes what was paid. */
  settle: (entry: Entry, paid: { spent: bigint; hash: string }) => Promise<void>
  /** Gives back what was set aside for a payment that was certainly not made. */
  release: (id: string) => Promise<void>
  /** What was reserved, and neither paid nor given back: a process ended in between, or nobody knows yet. */
  unfinished: () => Promise<Entry[]>
  /** What today's payments come to, in raw units. */
  spentToday: () => Promise<bigint>
}

/**
 * The budget of an agent, kept in its folder: one entry for each payment. An amount is set aside before a permit is signed and stays
 * aside until the end is known, so that a killed agent has spent no more than its book says.
 */
export function openBudget(storage: FileStorage, { limits, pinned }: Settings, now = Date.now): Budget {
  const today = () => new Date(now()).toISOString().slice(0, 10)
  const change = (work: (entries: Map<string, Entry>) => void) =>
    storage.update(name, (text) => {
      const entries = toEntries(text)
      work(entries)
      return JSON.stringify([...entries.values()])
    })
  const entriesNow = async () => toEntries(await storage.getItem(name))

  return {
    reserve: async (payment) => {
      let reserved: Entry | undefined
      await change((entries) => {
        const known = entries.get(payment.id)
        if (known !== undefined) {
          if (!isSamePayment(known, payment))
            throw new OverLimitError(`"${payment.id}" stands for another payment: ${describe(known)}.`)
          reserved = known
          return
        }
        const most = rawUnits(payment.cents + pinned.maxGasFeeCents)
        const spent = sumOf(entries, today())
        if (!limits.receivers.includes(payment.to))
          throw new OverLimitError(`${payment.to} is none of the receivers that may be paid.`)
        if (most > rawUnits(limits.paymentCents))
          throw new OverLimitError(
            `It may come to ${formatUsd(most)} with its fee; one payment may be ${formatUsd(rawUnits(limits.paymentCents))}.`,
          )
        if (spent + most > rawUnits(limits.dayCents))
          throw new OverLimitError(
            `It may come to ${formatUsd(most)}, and ${formatUsd(spent)} of today's ${formatUsd(rawUnits(limits.dayCents))} are spent.`,
          )
        reserved = { ...payment, day: today(), state: 'reserved', spent: `${most}` }
        entries.set(payment.id, reserved)
      })
      if (reserved === undefined) throw new Error('The storage changed nothing.')
      return reserved
    },
    settle: (entry, { spent, hash }) =>
      change((entries) => {
        entries.set(entry.id, { ...entry, state: 'paid', spent: `${spent}`, hash })
      }),
    release: (id) =>
      change((entries) => {
        if (entries.get(id)?.state === 'reserved') entries.delete(id)
      }),
    unfinished: async () => [...(await entriesNow()).values()].filter(({ state }) => state === 'reserved'),
    spentToday: async () => sumOf(await entriesNow(), today()),
  }
}

const name = 'budget'

/** Our own file: nobody else writes it. */
function toEntries(text: string | null): Map<string, Entry> {
  const entries: Entry[] = text === null ? [] : JSON.parse(text)
  return new Map(entries.map((entry) => [entry.id, entry]))
}

function sumOf(entries: Map<string, Entry>, day: string): bigint {
  return [...entries.values()]
    .filter((entry) => entry.day === day)
    .reduce((sum, { spent }) => sum + BigInt(spent), 0n)
}

/** Whether two of the same id ask for the same. */
export function isSamePayment(one: Payment, other: Payment): boolean {
  const textOf = ({ id, to, cents, usdcCents = 0 }: Payment) => JSON.stringify([id, to, cents, usdcCents])
  return textOf(one) === textOf(other)
}

const describe = ({ cents, to }: Payment) => `${formatUsd(rawUnits(cents))} to ${to}`
const rawUnits = (cents: number) => BigInt(cents) * 10_000n

/** A payment that the agent's own limits do not allow. Nothing was signed. */
export class OverLimitError extends Error {
  override readonly name = 'OverLimitError'
}
