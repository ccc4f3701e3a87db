import { useMutation } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useConnection, useReadContract } from 'wagmi'
import { Plate } from '../art/Moth.tsx'
import { allSpecies, cabinetAbi, collectMoth, type Species, serialOf } from '../catalogue.ts'
import { useShop } from '../config.tsx'
import { PageTitle, UnknownPage } from '../Layout.tsx'
import { drawOrder, isUnknownOrder, useOrder } from '../orders.ts'
import { OrderNeeded } from '../payment/OrderNeeded.tsx'
import { OrderPayment } from '../payment/OrderPayment.tsx'
import type { PaidRedeem } from '../payment/Receipt.tsx'
import { hrefOf, replaceAddress } from '../routes.ts'

/** Shows a species and its purchase. The server creates the order when the page opens, and the URL contains its id. */
export function MothPage(props: { slug: string; orderId: string | undefined; onConnect: () => void }) {
  const species = allSpecies.find(({ slug }) => slug === props.slug)
  return species === undefined ? <UnknownPage /> : <Moth {...props} species={species} />
}

function Moth(props: { species: Species; orderId: string | undefined; onConnect: () => void }) {
  const { species, orderId, onConnect } = props
  const { slug, name, cents } = species
  const { address } = useConnection()
  const [chosenUsdcCents, chooseUsdcCents] = useState(0)
  const { order, error, tryAgain } = useMothOrder(slug, orderId)
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
        {order === undefined ? (
          <OrderNeeded
            title={name}
            cents={cents}
            usdcCents={chosenUsdcCents}
            onUsdcCents={chooseUsdcCents}
            isConnected={address !== undefined}
            error={error}
            onConnect={onConnect}
            onTryAgain={tryAgain}
          />
        ) : (
          <OrderPayment
            key={order.id}
            title={name}
            order={{ purchaseId: order.id, cents, transactionData }}
            chosenUsdcCents={chosenUsdcCents}
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

/** Returns the order in the URL. If the server does not know this order for the species, creates a new one. */
function useMothOrder(slug: string, orderId: string | undefined) {
  const known = useOrder(orderId)
  const isOther =
    (known.data !== undefined && known.data.item !== `moth ${slug}`) || isUnknownOrder(known.error)
  const isNeeded = orderId === undefined || isOther
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => drawOrder({ moth: slug }),
    onSuccess: ({ id }) => replaceAddress(hrefOf({ page: 'moth', slug, orderId: id })),
  })
  useEffect(() => {
    if (isNeeded) mutate()
  }, [isNeeded, mutate])
  return {
    order: isOther ? undefined : known.data,
    error: isPending ? null : (error ?? (isOther ? null : known.error)),
    tryAgain: () => (isNeeded ? mutate() : void known.refetch()),
  }
}

/** Reads the received specimen from the chain. */
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

function SpeciesView({ species, sold }: { species: Species; sold: number | undefined }) {
  const { number, name, latin, story, habits, edition } = species
  return (
    <div>
      <div className="big-plate">
        <Plate species={number} serial={(sold ?? 0) + 1} />
      </div>
      <div className="section-tight">
        <PageTitle title={name} />
        <p className="latin quiet big-latin">{latin}</p>
        <p className="story">{story}</p>
        <dl className="facts">
          <dt>Habits</dt>
          <dd>{habits}</dd>
          <dt>Edition</dt>
          <dd>
            {sold === undefined
              ? `${edition} specimens`
              : sold === edition
                ? `All ${edition} are sold`
                : `${edition - sold} of ${edition} left; number ${sold + 1} is next`}
          </dd>
          <dt>Yours</dt>
          <dd>An NFT in your wallet, drawn from its own number</dd>
        </dl>
      </div>
    </div>
  )
}
