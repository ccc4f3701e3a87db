CREATE TABLE "bank_accounts" (
	"token" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"account_hash" text NOT NULL,
	"country" text NOT NULL,
	"last_four" text NOT NULL,
	"bic" text,
	"alias" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "bank_accounts_once" UNIQUE("merchant_id","user_id","account_hash")
);
--> statement-breakpoint
CREATE TABLE "kyc_records" (
	"merchant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"dob" text,
	"country" text,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "kyc_records_merchant_id_user_id_pk" PRIMARY KEY("merchant_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "landed_returns" (
	"payment_id" text PRIMARY KEY NOT NULL,
	"blockchain" text NOT NULL,
	"from_address" text NOT NULL,
	"nonce" text NOT NULL,
	"value" numeric(78,0) NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"status" text NOT NULL,
	"hash" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pinned_places" (
	"merchant_id" text NOT NULL,
	"customer" text NOT NULL,
	"country" text NOT NULL,
	"state" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "pinned_places_merchant_id_customer_pk" PRIMARY KEY("merchant_id","customer")
);
--> statement-breakpoint
CREATE TABLE "stellar_settlements" (
	"payment_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"operator" text NOT NULL,
	"raw" text NOT NULL,
	"hash" text NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "stellar_settlements_payment_id_attempt_pk" PRIMARY KEY("payment_id","attempt")
);
--> statement-breakpoint
CREATE TABLE "wallet_turns" (
	"blockchain" text NOT NULL,
	"wallet" text NOT NULL,
	"turn" bigint NOT NULL,
	CONSTRAINT "wallet_turns_blockchain_wallet_pk" PRIMARY KEY("blockchain","wallet")
);
--> statement-breakpoint
CREATE TABLE "withdrawer_wallets" (
	"id" serial PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"withdrawer_id" text NOT NULL,
	"blockchain" text NOT NULL,
	"wallet" text NOT NULL,
	CONSTRAINT "withdrawer_wallets_once" UNIQUE("withdrawer_id","blockchain","wallet")
);
--> statement-breakpoint
CREATE TABLE "withdrawers" (
	"withdrawer_id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"wallet" text NOT NULL,
	"blockchain" text NOT NULL,
	"email" text NOT NULL,
	"country" text NOT NULL,
	"currency" text NOT NULL,
	"business" boolean NOT NULL,
	"name" text,
	"reference" text NOT NULL,
	"verification" text NOT NULL,
	"vendor" text NOT NULL,
	"rejection_reasons" jsonb NOT NULL,
	"ubos" jsonb NOT NULL,
	"redirect_link" text,
	"availability" text NOT NULL,
	"availability_reason" text NOT NULL,
	"availability_editor" text NOT NULL,
	"availability_at" timestamp with time zone NOT NULL,
	"risk_score_override" boolean NOT NULL,
	"geo_block_override" jsonb,
	"block_card_reuse_exempt" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "withdrawers_reference_unique" UNIQUE("reference"),
	CONSTRAINT "withdrawers_by_user" UNIQUE("merchant_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "seller_withdrawals" ADD COLUMN "idempotency_key" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "settlement_chain" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "carried" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "bank_accounts_by_account" ON "bank_accounts" USING btree ("merchant_id","account_hash");--> statement-breakpoint
CREATE INDEX "landed_returns_watched" ON "landed_returns" USING btree ("status");--> statement-breakpoint
CREATE UNIQUE INDEX "stellar_settlements_one_at_a_time" ON "stellar_settlements" USING btree ("operator") WHERE status = 'journalled';--> statement-breakpoint
ALTER TABLE "seller_withdrawals" ADD CONSTRAINT "seller_withdrawals_idempotency" UNIQUE("merchant_id","idempotency_key");