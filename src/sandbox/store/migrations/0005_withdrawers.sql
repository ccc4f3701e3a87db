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
CREATE TABLE "pinned_places" (
	"merchant_id" text NOT NULL,
	"customer" text NOT NULL,
	"country" text NOT NULL,
	"state" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "pinned_places_merchant_id_customer_pk" PRIMARY KEY("merchant_id","customer")
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
CREATE INDEX "bank_accounts_by_account" ON "bank_accounts" USING btree ("merchant_id","account_hash");--> statement-breakpoint
ALTER TABLE "seller_withdrawals" ADD CONSTRAINT "seller_withdrawals_idempotency" UNIQUE("merchant_id","idempotency_key");