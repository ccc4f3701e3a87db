/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'
import { plainDollars } from '../../../redeemkit/evm/findingTexts.ts'
import { type Ask, ServiceRefusalError } from './actions.ts'

export type View = {
  /** Path below `/dashboard`; empty for the first page. Segments that start with a colon are parameters passed to `draw`. */
  path: string
  /** Name in the navigation. A page without a name is linked from other pages. */
  name: string | undefined
  /** Default: the name. */
  title?: string
  /** Path of the parent page. */
  within?: string
  draw: (context: ViewContext) => Promise<Child>
}

export type ViewContext = {
  ask: Ask
  merchantId: string
  /** Hidden field that proves that a form comes from this dashboard. */
  token: string
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  walletHeaders: (customer: { blockchain: string; address: string }) => Readonly<Record<string, string>>
  accounts: Readonly<Record<string, string>>
}

/** Renders a part of a page. If that fails, shows the error in its place, so that the other parts still render. */
export async function orError(draw: () => Promise<Child>): Promise<Child> {
  try {
    return await draw()
  } catch (error) {
    return <p class="empty">{messageOfError(error)}</p>
  }
}

export function messageOfError(error: unknown): string {
  if (error instanceof ServiceRefusalError) return error.shortMessage
  if (error instanceof BaseError) return [error.shortMessage, error.fix].filter(Boolean).join(' ')
  // The messages of other errors may quote the request.
  return 'The service could not be reached. See its log.'
}

export function Panel({ id, title, children }: { id: string; title: string; children?: Child }) {
  return (
    <section aria-labelledby={id} class="panel">
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** Renders a button for one of the `actions`. `fields` become hidden inputs, and `children` visible inputs. */
export function ActionForm(options: {
  context: ViewContext
  action: string
  label: string
  /** What the action changes, for screen readers. */
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

/** A column's name. `right` aligns numbers; `wider` hides the column on narrow screens. */
type Column = string | { name: string; is: 'right' | 'wider' }

export function Rows(options: {
  caption: string
  columns: readonly Column[]
  rows: readonly (readonly Child[])[]
  /** Text of an empty table, which tells the user what to do. */
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

export function State({ of: state }: { of: string }) {
  return <span class={`state ${toneOf(state)}`}>{oneLine(state)}</span>
}

export function toneOf(state: string): string {
  if (/^(settled|redeemed|approved|Active|delivered|won|ok|completed)$/.test(state)) return 'good'
  if (/^(failed|reverted|rejected|Failed|Blocked|lost|expired|Expired|refuse|refused)$/.test(state))
    return 'bad'
  return 'open'
}

/** Renders untrusted text on one line, without characters that are invisible or change the text direction. */
export function Foreign({ of: text }: { of: string }) {
  return <bdi>{oneLine(text)}</bdi>
}

/** Renders a long id, shortened only on screen: copying, tooltips and screen readers get the whole id. */
export function Id({ of: id }: { of: string }) {
  if (id.length <= 14) return <code>{oneLine(id)}</code>
  return (
    <code title={oneLine(id)} class="id">
      <span class="head">{oneLine(id.slice(0, -4))}</span>
      <span>{oneLine(id.slice(-4))}</span>
    </code>
  )
}

export function Account({ of: address, accounts }: { of: string; accounts: ViewContext['accounts'] }) {
  const name = Object.entries(accounts).find(([, one]) => one.toLowerCase() === address.toLowerCase())?.[0]
  return name === undefined ? <Id of={address} /> : <span title={address}>{name}</span>
}

export function Time({ of: instant }: { of: string }) {
  return <time datetime={instant}>{oneLine(instant.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC'))}</time>
}

export function Cents({ of: cents, currency = 'USD' }: { of: number; currency?: string | undefined }) {
  const whole = Math.abs(cents)
  const text = `${cents < 0 ? '-' : ''}${Math.floor(whole / 100).toLocaleString('en-US')}.${String(whole % 100).padStart(2, '0')}`
  return (
    <span class="number">
      {text} {oneLine(currency)}
    </span>
  )
}

/** Takes raw units. */
export function Usdc({ of: amount }: { of: string }) {
  const [whole = '', places] = plainDollars(BigInt(amount)).split('.')
  return (
    <span class="number">
      {BigInt(whole).toLocaleString('en-US')}.{places} USD
    </span>
  )
}
