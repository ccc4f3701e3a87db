import type { ReactNode } from 'react'
import { RedeemkitProvider } from 'redeemkit/react'
import { useConnection } from 'wagmi'
import { useShop } from '../config/useShop.ts'
import { SignIn } from './SignIn.tsx'
import { useIsMember } from './useMember.ts'

/** What needs to know who somebody is: a wallet first, then its sign-in, then the children. */
export function MembersOnly(props: { why: string; onConnect: () => void; children: ReactNode }) {
  const { why, onConnect, children } = props
  const { address } = useConnection()
  const { memberKit } = useShop()
  const isMember = useIsMember()
  if (address !== undefined && isMember === true)
    return (
      <RedeemkitProvider key={address} kit={memberKit}>
        {children}
      </RedeemkitProvider>
    )
  return (
    <div className="card stack">
      <p>{why}</p>
      {address === undefined ? (
        <button type="button" className="button button-wide" onClick={onConnect}>
          Connect a wallet
        </button>
      ) : (
        <SignIn />
      )}
    </div>
  )
}
