CREATE TABLE "event_cursors" (
	"blockchain" text NOT NULL,
	"credits_contract" text NOT NULL,
	"block_number" numeric(78,0) NOT NULL,
	"block_hash" text NOT NULL,
	CONSTRAINT "event_cursors_blockchain_credits_contract_pk" PRIMARY KEY("blockchain","credits_contract")
);
--> statement-breakpoint
CREATE TABLE "order_claims" (
	"merchant_id" text NOT NULL,
	"wallet" text NOT NULL,
	"order_key" text NOT NULL,
	"blockchain" text NOT NULL,
	"nonce" text NOT NULL,
	"valid_before" numeric(78,0) NOT NULL,
	"redeemed_in" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "order_claims_merchant_id_wallet_order_key_pk" PRIMARY KEY("merchant_id","wallet","order_key")
);
--> statement-breakpoint
CREATE TABLE "redeemed_events" (
	"blockchain" text NOT NULL,
	"hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"block_number" numeric(78,0) NOT NULL,
	"merchant_id" text NOT NULL,
	"wallet" text NOT NULL,
	"nonce" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "redeemed_events_blockchain_hash_log_index_pk" PRIMARY KEY("blockchain","hash","log_index")
);
--> statement-breakpoint
ALTER TABLE "intents" ADD COLUMN "purchase_id" text;--> statement-breakpoint
ALTER TABLE "intents" ADD COLUMN "webhook_info" jsonb;