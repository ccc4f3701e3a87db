import { useId, useState } from 'react'
import type { Hex } from 'viem'
import type { ConnectApproval, WalletState } from '../messages.ts'
import { AccountMark } from './Icon.tsx'
import { Address } from './parts.tsx'
import { type Place, Request } from './Request.tsx'
import { useText } from './useText.tsx'

export function ConnectRequest(props: { approval: ConnectApproval; place: Place; state: WalletState }) {
  const { approval, place, state } = props
  const { text } = useText()
  const titleId = useId()
  const [chosen, setChosen] = useState<readonly Hex[]>(state.selected === undefined ? [] : [state.selected])
  // In the order in which the user selected them, because a site uses the first account.
  const accounts = chosen.filter((one) => state.accounts.some(({ address }) => address === one))
  return (
    <Request
      approval={approval}
      place={place}
      titleId={titleId}
      known={
        approval.isNew && (
          <p>
            <span className="badge">{text('connect.new')}</span>
          </p>
        )
      }
      approveText={text('connect.approve')}
      isSafe
      answer={accounts.length === 0 ? undefined : { digests: [], accounts }}
    >
      <h1 id={titleId}>{text('connect.title')}</h1>
      <fieldset className="stack">
        <legend className="quiet">{text('connect.choose')}</legend>
        <ul className="list">
          {state.accounts.map(({ address, name }) => (
            <li key={address}>
              <label className="row">
                <input
                  type="checkbox"
                  checked={chosen.includes(address)}
                  onChange={({ target }) =>
                    setChosen(target.checked ? [...chosen, address] : chosen.filter((one) => one !== address))
                  }
                />
                <AccountMark address={address} size={22} />
                <span className="grow">
                  <strong>{name}</strong> <Address address={address} />
                </span>
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
      <ul className="reasons quiet small">
        <li>{text('connect.may')}</li>
        <li>{text('connect.mayNot')}</li>
      </ul>
    </Request>
  )
}
