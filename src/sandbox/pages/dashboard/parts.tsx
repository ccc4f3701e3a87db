/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'
import { ServiceRefusalError } from './actions.ts'
import type { ViewContext } from './views/view.ts'

/** A part of a page. Where it cannot be drawn it says why, and the other parts are there all the same. */
export async function orWhy(draw: () => Promise<Child>): Promise<Child> {
  try {
    return await draw()
  } catch (error) {
    return <p class="empty">{wordsOf(error)}</p>
  }
}

/** What a person is told of an error. */
export function wordsOf(error: unknown): string {
  if (error instanceof ServiceRefusalError) return error.shortMessage
  if (error instanceof BaseError) return [error.shortMessage, error.fix].filter(Boolean).join(' ')
  // Not ours: its words may quote what was sent.
  return 'The service could not be asked. Its own log says why.'
}

/** What the pages draw alike. */

/** A part of a page under its own heading. */
export function Panel({ id, title, children }: { id: string; title: string; children?: Child }) {
  return (
    <section aria-labelledby={id} class="panel">
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** A button that does one of the `actions`. `fields` are hidden; what a person fills in goes into `children`. */
export function ActionForm(options: {
  context: ViewContext
  action: string
  label: string
  /** What the button acts on, for those who do not see where it stands. */
  about?: string | undefined
  kind?: 'plain' | 'main' | 'danger' | undefined
  fields?: Readonly<Record<string, string | undefined>> | undefined
  children?: Child
}) {
  const { context, action, label, about, kind = 'plain', fields = {}, children } = options
  return (
    <form method="post" class="action">
      <input type="hidden" name="token" value={context.token} />
      <input type="hidden" name="action" value={action} />
      {Object.entries(fields).map(
        ([name, value]) => value !== undefined && <input type="hidden" name={name} value={value} />,
      )}
      {children}
      <button
        type="submit"
        class={kind}
        aria-label={about === undefined ? undefined : oneLine(`${label}: ${about}`)}
      >
        {label}
      </button>
    </form>
  )
}

/** A column: its name, and whether numbers stand in it, or what a narrow screen can do without. */
type Column = string | { name: string; is: 'right' | 'wider' }

/** A table that becomes cards on a narrow screen. */
export function Rows(options: {
  caption: string
  columns: readonly Column[]
  rows: readonly (readonly Child[])[]
  /** What stands in its place while there are none: what to do. */
  empty: Child
}) {
  const { caption, rows, empty } = options
  if (rows.length === 0) return <p class="empty">{empty}</p>
  const columns = options.columns.map((column) =>
    typeof column === 'string' ? { name: column, is: undefined } : column,
  )
  return (
    <table class={columns.length > 7 ? 'many' : undefined}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ name, is }) => (
            <th scope="col" class={is}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell, at) => (
              <td data-column={columns[at]?.name} class={columns[at]?.is}>
                <div>{cell}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A state by its word, coloured by how it went. */
export function State({ of: state }: { of: string }) {
  return <span class={`state ${toneOf(state)}`}>{oneLine(state)}</span>
}

export function toneOf(state: string): string {
  if (/^(settled|redeemed|approved|Active|delivered|won|ok|completed)$/.test(state)) return 'good'
  if (/^(failed|reverted|rejected|Failed|Blocked|lost|expired|Expired|refuse)$/.test(state)) return 'bad'
  return 'open'
}

/** Text that others wrote: on one line, with nothing in it that a reader cannot see or that turns what stands beside it around. */
export function Foreign({ of: text }: { of: string }) {
  return <bdi>{oneLine(text)}</bdi>
}

/** A long id, cut in the middle where it is shown; whole when it is copied, pointed at, or read out. */
export function Id({ of: id }: { of: string }) {
  if (id.length <= 14) return <code>{oneLine(id)}</code>
  return (
    <code title={oneLine(id)} class="id">
      <span class="head">{oneLine(id.slice(0, -4))}</span>
      <span>{oneLine(id.slice(-4))}</span>
    </code>
  )
}

/** An address, by the name of the person whose it is. */
export function Account({ of: address, people }: { of: string; people: ViewContext['people'] }) {
  const name = Object.entries(people).find(([, one]) => one.toLowerCase() === address.toLowerCase())?.[0]
  return name === undefined ? <Id of={address} /> : <span title={address}>{name}</span>
}

export function Time({ of: instant }: { of: string }) {
  return <time datetime={instant}>{oneLine(instant.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC'))}</time>
}

/** Whole cents. */
export function Cents({ of: cents, currency = 'USD' }: { of: number; currency?: string | undefined }) {
  const whole = Math.abs(cents)
  const text = `${cents < 0 ? '-' : ''}${grouped(Math.floor(whole / 100))}.${String(whole % 100).padStart(2, '0')}`
  return (
    <span class="number">
      {text} {oneLine(currency)}
    </span>
  )
}

/** Raw units of USDC, as decimal text. */
export function Usdc({ of: amount }: { of: string }) {
  const raw = BigInt(amount)
  const places = String(raw % 1_000_000n)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '')
  return (
    <span class="number">
      {grouped(raw / 1_000_000n)}.{places} USD
    </span>
  )
}

/** `1250` as `1,250`. */
function grouped(whole: number | bigint): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ',')
}
