/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import type { ViewContext } from './views/view.ts'

/** What the pages draw alike. */

/** A button that does one of the `actions`. `fields` are hidden; what a person fills in goes into `children`. */
export function ActionForm(options: {
  context: ViewContext
  action: string
  label: string
  /** What the button acts on, for those who do not see where it stands. */
  about?: string | undefined
  kind?: 'plain' | 'danger' | undefined
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
      <button type="submit" class={kind} aria-label={about === undefined ? undefined : `${label}: ${about}`}>
        {label}
      </button>
    </form>
  )
}

/** A table that becomes cards on a narrow screen. */
export function Rows(options: {
  caption: string
  columns: readonly string[]
  rows: readonly (readonly Child[])[]
  empty: string
}) {
  const { caption, columns, rows, empty } = options
  if (rows.length === 0) return <p class="empty">{empty}</p>
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col">{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell, at) => (
              <td data-column={columns[at]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A state by its word, coloured by how it went. */
export function State({ of: state }: { of: string }) {
  return <span class={`state ${toneOf(state)}`}>{state}</span>
}

function toneOf(state: string): string {
  if (/^(settled|redeemed|approved|Active|delivered|won|ok|completed)$/.test(state)) return 'good'
  if (/^(failed|reverted|rejected|Failed|Blocked|lost|expired|Expired|refuse)$/.test(state)) return 'bad'
  return 'open'
}

/** A long id, cut in the middle; whole when it is pointed at, and for a screen reader. */
export function Id({ of: id }: { of: string }) {
  if (id.length <= 14) return <code>{id}</code>
  return (
    <code title={id}>
      <span aria-hidden="true">
        {id.slice(0, 8)}…{id.slice(-4)}
      </span>
      <span class="unseen">{id}</span>
    </code>
  )
}

/** An address, by the name of the person whose it is. */
export function Account({ of: address, people }: { of: string; people: ViewContext['people'] }) {
  const name = Object.entries(people).find(([, one]) => one.toLowerCase() === address.toLowerCase())?.[0]
  return name === undefined ? <Id of={address} /> : <span title={address}>{name}</span>
}

export function Time({ of: instant }: { of: string }) {
  return <time datetime={instant}>{instant.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time>
}

/** Whole cents. */
export function Cents({ of: cents, currency = 'USD' }: { of: number; currency?: string | undefined }) {
  const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
  return (
    <span class="number">
      {text} {currency}
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
      {String(raw / 1_000_000n)}.{places} USD
    </span>
  )
}
