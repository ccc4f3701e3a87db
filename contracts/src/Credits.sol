// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {BoundedCall} from "./BoundedCall.sol";
import {ICredits} from "./ICredits.sol";
import {IUsdc} from "./IUsdc.sol";
import {Ledger} from "./Ledger.sol";
import {Permits} from "./Permits.sol";
import {RedeemHash} from "./RedeemHash.sol";
import {Settlements} from "./Settlements.sol";
import {UsdcCollection} from "./UsdcCollection.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";

/// @title Credits
/// @notice See `ICredits`.
/// @dev Puts the parts together: permit, books, the customer's USDC, settlement. Each is an abstract contract of its own.
contract Credits is UsdcCollection, Settlements {
    uint256 private constant MAX_BATCH_REASON = 256;
    /// @dev What a batch keeps back for noting a failed item.
    uint256 private constant BATCH_RESERVE = 20_000;
    /// @dev And what it keeps back for each item's part of the answer: 2048.
    uint256 private constant ANSWER_RESERVE_BITS = 11;

    /// @param usdc_ the settlement token, 6 decimals
    /// @param admin first holder of the admin role
    /// @param adminDelay seconds that a hand-over of the admin role takes
    /// @param feeRecipient_ receives the gas fees
    /// @param signatureVerifier_ the chain's own signature verifier; zero for none
    constructor(IUsdc usdc_, address admin, uint48 adminDelay, address feeRecipient_, address signatureVerifier_)
        AccessControlDefaultAdminRules(adminDelay, admin)
        Ledger(usdc_, feeRecipient_)
        Permits(signatureVerifier_)
    {}

    /// @inheritdoc ICredits
    function redeem(RedeemRequest calldata request) external nonReentrant whenNotPaused {
        _redeem(request, msg.sender);
    }

    /// @inheritdoc ICredits
    function redeemToken(Permit calldata permit, uint256 amount, bytes32 salt, address destination, uint256 gasFee)
        external
        nonReentrant
        whenNotPaused
    {
        if (!RedeemHash.isBound(permit.nonce)) revert UnboundPermitNotAllowed(permit.creditSeed, msg.sender);
        bytes32 creditSeedHash = keccak256(bytes(permit.creditSeed));
        _spend(permit, creditSeedHash, RedeemHash.tokenSettlement(destination), amount, 0, salt, gasFee, msg.sender);
        _settleToken(destination, amount);
        _emitRedeemed(permit, creditSeedHash, uint160(destination), amount << 128, gasFee);
    }

    /// @inheritdoc ICredits
    function redeemBatch(bytes[] calldata requests, uint256[] calldata gasLimits)
        external
        nonReentrant
        whenNotPaused
        returns (BatchResult[] memory results)
    {
        uint256 length = requests.length;
        if (length != gasLimits.length) revert BatchLengthMismatch(length, gasLimits.length);
        results = new BatchResult[](length);
        uint256 reserve = BATCH_RESERVE + (length << ANSWER_RESERVE_BITS);
        for (uint256 i = 0; i < length; ++i) {
            bytes memory data = _itemCall(requests[i]);
            _requireGas(gasLimits[i], reserve);
            (results[i].success,,) = BoundedCall.call(address(this), 0, gasLimits[i], data);
            if (!results[i].success) {
                results[i].reason = BoundedCall.answer(MAX_BATCH_REASON);
                emit BatchItemFailed(i, results[i].reason);
            }
        }
    }

    /// @notice One item of a batch. Only this contract may call it.
    /// @param relayer who sent the batch
    function redeemItem(address relayer, RedeemRequest calldata request) external {
        if (msg.sender != address(this)) revert OnlySelf(msg.sender);
        _redeem(request, relayer);
    }

    /// @inheritdoc Settlements
    function supportsInterface(bytes4 interfaceId)
        public
        view
        override(AccessControlDefaultAdminRules, Settlements)
        returns (bool)
    {
        return super.supportsInterface(interfaceId);
    }

    /// @dev An item is `abi.encode(request)`: an offset, then the request. It goes on as it is, so that only its own call
    /// reads it, and fails when it is malformed.
    function _itemCall(bytes calldata item) private view returns (bytes memory) {
        bytes calldata request = item.length < 32 ? item : item[32:];
        return bytes.concat(abi.encodeWithSelector(this.redeemItem.selector, msg.sender, 64), request);
    }

    function _redeem(RedeemRequest calldata request, address relayer) private {
        Permit calldata permit = request.permit;
        Settlement calldata settlement = request.settlement;
        uint256 amount = request.intent.amount;
        uint256 usdcAmount = request.intent.usdcAmount;
        uint256 gasFee = request.gasFee;
        bytes32 creditSeedHash = keccak256(bytes(permit.creditSeed));

        if (RedeemHash.isBound(permit.nonce)) {
            UsdcMethod method = request.usdcAuthorization.method;
            if (method == UsdcMethod.TransferV1 || method == UsdcMethod.TransferV2) {
                revert ReceiveAuthorizationRequired(permit.nonce);
            }
        }
        bytes32 settlementHash = _settlementHash(settlement);
        _spend(permit, creditSeedHash, settlementHash, amount, usdcAmount, request.intent.salt, gasFee, relayer);
        _collectUsdc(permit, usdcAmount, request.usdcAuthorization);
        uint256 refunded = _settle(permit, amount, settlement, creditSeedHash);

        _emitRedeemed(
            permit,
            creditSeedHash,
            uint256(settlement.kind) << 160 | uint160(settlement.target),
            amount << 128 | usdcAmount,
            refunded << 128 | gasFee
        );
    }

    /// @dev Checks all that was signed, uses the order up and charges credits. Nothing outside is called after this but
    /// USDC and what the customer agreed to.
    function _spend(
        Permit calldata permit,
        bytes32 creditSeedHash,
        bytes32 settlementHash,
        uint256 amount,
        uint256 usdcAmount,
        bytes32 salt,
        uint256 gasFee,
        address relayer
    ) private {
        string calldata creditSeed = permit.creditSeed;
        address customerWallet = permit.customerWallet;
        bytes32 nonce = permit.nonce;

        uint256 charged = _requireAmounts(permit.amount, amount, usdcAmount, gasFee);
        if (gasFee != 0 && !hasRole(OPERATOR_ROLE, relayer)) revert GasFeeNotAllowed(relayer, gasFee);
        if (RedeemHash.isBound(nonce)) {
            bytes32 expected =
                RedeemHash.intentNonce(bytes12(nonce), customerWallet, settlementHash, amount, usdcAmount, salt);
            if (nonce != expected) revert IntentMismatch(nonce, expected);
        } else {
            _requireUnboundAllowed(creditSeed, creditSeedHash, salt, relayer);
        }
        _requirePermit(permit, creditSeedHash);

        _useOrder(customerWallet, nonce, usdcAmount == 0 ? REDEEMED : REDEEMED | USDC_COLLECTED);
        _charge(creditSeed, creditSeedHash, customerWallet, charged, gasFee);
    }

    /// @dev Without a USDC part all of `amount` is charged to credits, which stay below 2^120. So every number of the event
    /// fits its half of a word.
    function _requireAmounts(uint256 authorized, uint256 amount, uint256 usdcAmount, uint256 gasFee)
        private
        pure
        returns (uint256 charged)
    {
        if (amount == 0) revert ZeroAmount();
        if (usdcAmount != 0) {
            if (usdcAmount > amount) revert UsdcAmountExceedsAmount(usdcAmount, amount);
            if (amount > type(uint128).max) revert AmountTooLarge(amount, type(uint128).max);
        }
        unchecked {
            charged = amount - usdcAmount + gasFee;
            // A sum above 2^256 is more than anybody has.
            if (charged < gasFee) charged = type(uint256).max;
        }
        if (charged > authorized) revert ExceedsAuthorized(charged, authorized);
    }

    function _emitRedeemed(
        Permit calldata permit,
        bytes32 creditSeedHash,
        uint256 kindAndTarget,
        uint256 amounts,
        uint256 refundedAndGasFee
    ) private {
        bytes32 nonce = permit.nonce;
        emit Redeemed(
            permit.customerWallet, bytes12(nonce), creditSeedHash, nonce, kindAndTarget, amounts, refundedAndGasFee
        );
    }
}
