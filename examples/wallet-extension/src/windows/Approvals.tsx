import { useEffect, useRef } from 'react'
import type { WalletState } from '../messages.ts'
import { ConnectRequest } from './ConnectRequest.tsx'
import { SignRequest } from './SignRequest.tsx'
import { useAnswer, useWorker } from './useWorker.tsx'

export type Place = { at: number; of: number }

/** The oldest request is first. It stays until the user answers it or the page withdraws it. The window closes after the last one. */
export function Approvals(props: { state: WalletState }) {
  const { closeWindow } = useWorker()
  const approvals = useAnswer('approvals', {})
  const isEmpty = approvals?.length === 0
  useEffect(() => {
    if (isEmpty) void closeWindow()
  }, [isEmpty, closeWindow])
  const heldId = useRef<string>(undefined)
  const held = approvals?.find(({ id }) => id === heldId.current) ?? approvals?.[0]
  heldId.current = held?.id
  if (approvals === undefined || held === undefined) return null
  const place: Place = { at: approvals.indexOf(held) + 1, of: approvals.length }
  return held.kind === 'connect' ? (
    <ConnectRequest key={held.id} approval={held} place={place} state={props.state} />
  ) : (
    <SignRequest key={held.id} approval={held} place={place} state={props.state} />
  )
}
