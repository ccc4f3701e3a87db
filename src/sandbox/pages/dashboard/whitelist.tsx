/** @jsxImportSource hono/jsx */
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'
import { ActionForm, Rows, State, type ViewContext } from './parts.tsx'

type Program = {
  blockchain: string
  programId: string
  selector?: string
  signature?: string
  minimumGas?: number
  status: string
}

const perPage = 20

/** Shows one page of the whitelist, pending requests first. `?whitelist=2` selects the second page. */
export async function drawWhitelist(context: ViewContext) {
  const { programs } = await context.ask<{ programs: Program[] }>('/sandbox/programs')
  const isOpen = ({ status }: Program) => status === 'pending'
  const entries = [...programs.filter(isOpen), ...programs.filter((one) => !isOpen(one))]
  const pages = Math.max(1, Math.ceil(entries.length / perPage))
  const page = Math.min(Math.max(1, Math.floor(Number(context.query.get('whitelist') ?? 1)) || 1), pages)
  const from = (page - 1) * perPage
  const shown = entries.slice(from, from + perPage)
  const link = (to: number, text: string) => (
    <a href={`/dashboard?merchant=${encodeURIComponent(context.merchantId)}&whitelist=${to}#whitelist`}>
      {text}
    </a>
  )
  return (
    <>
      <Rows
        caption={
          pages === 1
            ? 'Contracts that redeems may call, and pending requests'
            : `Contracts that redeems may call, and pending requests: ${from + 1} to ${from + shown.length} of ${entries.length}`
        }
        columns={['Chain', 'Contract', 'Function', { name: 'Minimum gas', is: 'right' }, 'State', 'Decide']}
        empty={
          <>
            No contract has been requested. Run <code>npx redeemkit whitelist request 0x…</code>, or add one
            to the whitelist here.
          </>
        }
        rows={shown.map((program) => [
          oneLine(program.blockchain),
          <code>{oneLine(program.programId)}</code>,
          <ListedFunction {...program} />,
          program.minimumGas?.toLocaleString('en-US') ?? '',
          <State of={program.status} />,
          <Decide program={program} context={context} />,
        ])}
      />
      {pages > 1 && (
        <p class="actions">
          {page > 1 && link(page - 1, 'Previous entries')}
          {page < pages && link(page + 1, 'More entries')}
        </p>
      )}
      <details id="approve">
        <summary>Add a contract</summary>
        <div class="fields">
          <ActionForm
            context={context}
            action="decideProgram"
            label="Approve"
            about="the contract"
            kind="main"
            fields={{ approved: 'true' }}
          >
            <label>
              Chain
              <input
                name="blockchain"
                required
                size={10}
                value={oneLine(programs[0]?.blockchain ?? 'base')}
              />
            </label>
            <label>
              Contract
              <input name="programId" required size={44} placeholder="0x…" autocomplete="off" />
            </label>
            <label>
              Function (empty for all)
              <input name="selector" size={30} placeholder="buy(address,uint256)" autocomplete="off" />
            </label>
          </ActionForm>
        </div>
      </details>
    </>
  )
}

function ListedFunction({ selector, signature }: Program) {
  if (selector === undefined) return <>every function</>
  return (
    <>
      {signature !== undefined && (
        <>
          <code>{oneLine(signature)}</code>{' '}
        </>
      )}
      <code class={signature && 'reason'}>{oneLine(selector)}</code>
    </>
  )
}

function Decide({ program, context }: { program: Program; context: ViewContext }) {
  const { blockchain, programId, selector, status } = program
  const about = `${programId} ${selector ?? ''}`.trim()
  const fields = { blockchain, programId, selector, was: status }
  return (
    <div class="actions">
      {status !== 'approved' && (
        <ActionForm
          context={context}
          action="decideProgram"
          label="Approve"
          about={about}
          kind={status === 'pending' ? 'main' : 'plain'}
          fields={{ ...fields, approved: 'true' }}
        />
      )}
      {status !== 'rejected' && (
        <ActionForm
          context={context}
          action="decideProgram"
          label={status === 'approved' ? 'Remove' : 'Reject'}
          about={about}
          kind="danger"
          fields={{ ...fields, approved: 'false' }}
        />
      )}
    </div>
  )
}
