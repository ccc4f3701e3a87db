import { useEffect, useMemo } from 'react'
import { useReadContract } from 'wagmi'
import { Plate } from '../art/Plate.tsx'
import { cabinetAbi, collectMoth, serialOf } from '../catalogue/cabinet.ts'
import { allSpecies, type Species } from '../catalogue/species.ts'
import { useShop } from '../config/useShop.ts'
import { newOrderId } from '../orders.ts'
import { OrderPayment } from '../payment/OrderPayment.tsx'
import { mothPurchaseId } from '../payment/purchaseId.ts'
import type { PaidRedeem } from '../payment/Receipt.tsx'
import { hrefOf } from '../routes/route.ts'
import { replaceAddress } from '../routes/useRoute.ts'
import { SpeciesView } from './SpeciesView.tsx'
import { UnknownPage } from './UnknownPage.tsx'

/** A species with its purchase. The purchase gets its order id when the page opens, and keeps it in the address. */
export function MothPage(props: { slug: string; orderId: string | undefined; onConnect: () => void }) {
  const { slug, orderId, onConnect } = props
  const species = allSpecies.find((one) => one.slug === slug)
  const isKnown = species !== undefined
  useEffect(() => {
    if (isKnown && orderId === undefined)
      replaceAddress(hrefOf({ page: 'moth', slug, orderId: newOrderId() }))
  }, [isKnown, orderId, slug])
  if (species === undefined) return <UnknownPage />
  return <Moth species={species} orderId={orderId} onConnect={onConnect} />
}

function Moth(props: { species: Species; orderId: string | undefined; onConnect: () => void }) {
  const { species, orderId, onConnect } = props
  const { slug, name, cents } = species
  const { cabinet } = useShop()
  const stock = useReadContract({
    address: cabinet,
    abi: cabinetAbi,
    functionName: 'species',
    args: [BigInt(species.number)],
    query: { refetchOnMount: 'always' },
  })
  const sold = stock.data && Number(stock.data[2])
  const transactionData = useMemo(() => collectMoth(cabinet, species), [cabinet, species])
  return (
    <>
      <a className="back" href={hrefOf({ page: 'moths' })}>
        All moths
      </a>
      <div className="columns">
        <SpeciesView species={species} sold={sold} />
        {orderId !== undefined && (
          <OrderPayment
            key={orderId}
            title={name}
            order={{ purchaseId: mothPurchaseId({ slug, orderId }), cents, transactionData }}
            paidTitle="It is yours"
            received={(data) => <Received species={species} data={data} />}
            actions={
              <>
                <a className="button" href={hrefOf({ page: 'cabinet' })}>
                  See my cabinet
                </a>
                <a className="button button-plain" href={hrefOf({ page: 'moth', slug, orderId: undefined })}>
                  Buy another
                </a>
              </>
            }
            onConnect={onConnect}
          />
        )}
      </div>
    </>
  )
}

/** The specimen that came with the payment, as the chain says. */
function Received({ species, data }: { species: Species; data: PaidRedeem }) {
  const specimen = data.outcome?.movements.find(
    ({ standard, direction }) => standard === 'ERC-721' && direction === 'in',
  )
  if (specimen?.tokenId === undefined) return null
  const serial = serialOf(specimen.tokenId)
  return (
    <div className="received">
      <Plate species={species.number} serial={serial} title={`${species.name}, number ${serial}`} />
      <p>
        <span className="wallet-name">{species.name}</span>
        <br />
        <span className="quiet">
          Number {serial} of {species.edition}
        </span>
      </p>
    </div>
  )
}
