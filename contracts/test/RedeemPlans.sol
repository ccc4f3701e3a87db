// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {RedeemHash} from "../src/RedeemHash.sol";
import {CreditsModel} from "./CreditsModel.sol";

/// @title Redeems for the invariant tests, either correct or with a single flaw
abstract contract RedeemPlans is CreditsModel {
    /// @param price the amount that the call pulls
    /// @param payee the account that receives it
    /// @param flawed whether the call fails in every state
    struct Plan {
        ICredits.RedeemRequest request;
        address relayer;
        uint256 who;
        uint256 seed;
        uint256 price;
        address payee;
        bool flawed;
    }

    uint256 private constant FLAWS_BEFORE = 9;
    uint256 private constant FLAWS_AFTER = 17;
    bytes12[] private _orderKeys;

    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    /// @dev Returns a redeem. About one in three has a flaw.
    function _plan(ICredits.Settlement memory settlement, uint256 amount, uint256 price, address payee)
        internal
        returns (Plan memory plan)
    {
        (plan.price, plan.payee) = (price, payee);
        (plan.who, plan.seed) = (_pick(WALLETS), _pick(SEEDS));
        plan.relayer = _pick(3) == 0 ? stranger : operator;
        uint256 usdcAmount = _pick(2) == 0 ? 0 : 1 + _pick(amount);
        uint256 gasFee = plan.relayer == operator ? _pick(DOLLAR) : 0;
        plan.request = _request(settlement, amount, usdcAmount, gasFee);
        plan.request.permit.customerWallet = wallets[plan.who];
        plan.request.permit.creditSeed = seeds[plan.seed];
        // A permit may allow more than is charged.
        if (_pick(4) == 0) plan.request.permit.amount += _pick(DOLLAR);
        plan.request.permit.validBefore = block.timestamp + 1 + _pick(1 hours);

        uint256 flaw = _pick(3 * (FLAWS_BEFORE + FLAWS_AFTER));
        if (flaw < FLAWS_BEFORE) _spoil(plan, flaw);
        if (_pick(5) == 0) _unbind(plan);
        else _bind(plan.request, _orderKey());
        _signPlan(plan);
        flaw = flaw < FLAWS_BEFORE ? FLAWS_AFTER : flaw - FLAWS_BEFORE;
        if (flaw < FLAWS_AFTER) _spoilSigned(plan, flaw);
    }

    function _signPlan(Plan memory plan) internal {
        ICredits.RedeemRequest memory request = plan.request;
        uint256 key = keys[plan.who];
        request.permit.signature = _signature(key, credits.hashCreditsAuthorization(request.permit));
        if (request.intent.usdcAmount == 0) return;
        // A smart account has one signature format, and an intent-bound nonce allows one authorization type.
        uint256 method = plan.who == SMART ? 2 + 2 * _pick(2) : 1 + _pick(4);
        if (method < 3 && RedeemHash.isIntentBound(request.permit.nonce)) {
            if (_pick(4) == 0) plan.flawed = true;
            else method += 2;
        }
        request.usdcAuthorization.method = ICredits.UsdcMethod(method);
        request.usdcAuthorization.signature = _signature(key, _authorizationDigest(request));
    }

    /// @dev Binds the redeem to a new order, or to one that already has attempts.
    function _orderKey() private returns (bytes12 orderKey) {
        if (_pick(6) == 0 && _orderKeys.length != 0) return _orderKeys[_pick(_orderKeys.length)];
        orderKey =
            bytes12(keccak256(abi.encode("order", _pick(type(uint256).max)))) | bytes12(bytes32(uint256(1) << 255));
        _orderKeys.push(orderKey);
    }

    function _unbind(Plan memory plan) internal {
        uint256 nonce = uint256(keccak256(abi.encode("unbound", plan.request.intent.salt)));
        // Sometimes the nonce has the first 12 bytes of an earlier nonce.
        if (_pick(6) == 0) nonce = uint256(bytes32(_orderKey())) | uint160(nonce);
        plan.request.permit.nonce = bytes32(nonce & ~RedeemHash.INTENT_BOUND_BIT);
        if (_pick(8) == 0) plan.flawed = true;
        else plan.request.intent.salt = 0;
    }

    /// @dev Adds a flaw that the customer signs.
    function _spoil(Plan memory plan, uint256 flaw) private {
        ICredits.RedeemRequest memory request = plan.request;
        // The model predicts flaws that depend on time or sender.
        plan.flawed = flaw != 1 && flaw != 4 && flaw != 8;
        uint256 charged = _charged(plan);
        if (flaw == 0) {
            // One raw unit too little.
            if (charged == 0) plan.flawed = false;
            else request.permit.amount = charged - 1;
        } else if (flaw == 1) {
            request.permit.validBefore = block.timestamp;
        } else if (flaw == 2) {
            request.permit.amount = type(uint128).max;
            request.intent.usdcAmount = request.intent.amount + 1;
        } else if (flaw == 3) {
            (request.intent.amount, request.intent.usdcAmount, plan.price) = (0, 0, 0);
        } else if (flaw == 4) {
            (plan.relayer, request.gasFee) = (stranger, 1);
            ++request.permit.amount;
        } else if (flaw == 5) {
            _spoilUnused(request.settlement);
        } else if (flaw == 6) {
            address[5] memory targets = [address(usdc), address(credits), PERMIT2, address(adapter), address(0)];
            request.settlement.target = targets[_pick(request.settlement.kind == ICredits.Kind.Token ? 2 : 5)];
        } else if (flaw == 7) {
            if (request.settlement.kind == ICredits.Kind.Token) request.settlement.target = address(0);
            else request.settlement.data = _pick(2) == 0 ? bytes(hex"aabbcc") : bytes("");
        } else {
            // More than the customer has.
            request.permit.amount = request.intent.amount = creditsIn[plan.seed][plan.who] + 1;
            (request.intent.usdcAmount, request.gasFee) = (0, 0);
            if (request.settlement.kind == ICredits.Kind.Token) plan.price = request.intent.amount;
        }
    }

    /// @dev Sets a field that the kind does not use.
    function _spoilUnused(ICredits.Settlement memory settlement) private {
        ICredits.Kind kind = settlement.kind;
        bool nft = settlement.nftContract != address(0);
        uint256 field = _pick(7);
        if (field == 0 && !nft) settlement.nftContract = settlement.target;
        else if (field == 1 && kind == ICredits.Kind.Token) settlement.data = hex"00";
        else if (field == 2 && kind != ICredits.Kind.Decent) settlement.bridge.dstChainId = 1;
        else if (field == 3 && kind != ICredits.Kind.Decent) settlement.bridge.isNative = true;
        else if (field == 4 && kind != ICredits.Kind.Decent) settlement.bridge.cost = 1;
        else if (field == 5 && kind != ICredits.Kind.Decent) settlement.bridge.dstToken = address(1);
        else if (kind == ICredits.Kind.Decent && field == 6) settlement.bridge.isNative = true;
        else if (kind != ICredits.Kind.KnownTokenId) settlement.nftId = 1;
        else settlement.bridge.cost = 1;
    }

    /// @dev Adds a flaw after the signature: a change that a relayer could make.
    function _spoilSigned(Plan memory plan, uint256 flaw) private view {
        ICredits.RedeemRequest memory request = plan.request;
        ICredits.Permit memory permit = request.permit;
        bool withUsdc = request.intent.usdcAmount != 0;
        bool before = plan.flawed;
        plan.flawed = true;
        if (flaw == 0) {
            permit.signature = _signature(keys[(plan.who + 1) % WALLETS], credits.hashCreditsAuthorization(permit));
        } else if (flaw == 1) {
            plan.who = (plan.who + 1) % WALLETS;
            permit.customerWallet = wallets[plan.who];
        } else if (flaw == 2) {
            plan.seed = 1 - plan.seed;
            permit.creditSeed = seeds[plan.seed];
        } else if (flaw == 3) {
            ++permit.amount;
        } else if (flaw == 4) {
            ++permit.validBefore;
        } else if (flaw == 5) {
            permit.nonce = bytes32(uint256(permit.nonce) ^ RedeemHash.INTENT_BOUND_BIT);
        } else if (flaw == 6) {
            permit.nonce = bytes32(uint256(permit.nonce) ^ 1);
        } else if (flaw == 7) {
            permit.signature = "";
        } else if (flaw < 12) {
            plan.flawed = before || _spoilIntent(plan.request, flaw);
        } else if (flaw == 12 && withUsdc) {
            delete request.usdcAuthorization;
        } else if (flaw == 13 && withUsdc) {
            // The authorization is signed for the other type.
            uint256 method = uint256(request.usdcAuthorization.method);
            request.usdcAuthorization.method = ICredits.UsdcMethod(method > 2 ? method - 2 : method + 2);
        } else if (flaw == 14 && withUsdc) {
            request.usdcAuthorization.signature = bytes.concat(request.usdcAuthorization.signature, hex"1b");
        } else if (flaw == 15 && withUsdc) {
            request.usdcAuthorization.signature =
                _signature(keys[(plan.who + 1) % WALLETS], _authorizationDigest(request));
        } else if (!withUsdc && flaw > 13) {
            if (flaw == 14) request.usdcAuthorization.method = ICredits.UsdcMethod.ReceiveV2;
            else request.usdcAuthorization.signature = hex"00";
        } else {
            plan.flawed = before;
        }
    }

    /// @dev Makes a change that only an intent-bound nonce prevents. With a random nonce, the relayer may make it.
    function _spoilIntent(ICredits.RedeemRequest memory request, uint256 flaw) private view returns (bool) {
        if (!RedeemHash.isIntentBound(request.permit.nonce)) return false;
        if (flaw == 8) {
            if (request.intent.amount > 1 && request.intent.usdcAmount < request.intent.amount) {
                --request.intent.amount;
            } else {
                request.intent.salt = 0;
            }
        } else if (flaw == 9) {
            request.intent.salt = bytes32(uint256(request.intent.salt) ^ 1);
        } else if (flaw == 10) {
            address other = request.settlement.target == address(mint1155) ? address(mint721) : address(mint1155);
            request.settlement.target = request.settlement.kind == ICredits.Kind.Token ? stranger : other;
        } else if (request.settlement.kind == ICredits.Kind.Token) {
            request.settlement.target = operator;
        } else if (request.settlement.kind == ICredits.Kind.Decent && request.intent.salt[31] < 0x80) {
            request.settlement.bridge.cost /= 2;
            if (request.settlement.bridge.cost == 0) request.settlement.bridge.dstChainId = 1;
        } else {
            request.settlement.data = bytes.concat(request.settlement.data, hex"00");
        }
        return true;
    }

    function _charged(Plan memory plan) internal pure returns (uint256) {
        ICredits.Intent memory intent = plan.request.intent;
        return intent.amount - intent.usdcAmount + plan.request.gasFee;
    }

    /// @dev Returns whether the contract accepts the redeem now.
    function _fits(Plan memory plan) internal view returns (bool) {
        ICredits.RedeemRequest memory request = plan.request;
        ICredits.Permit memory permit = request.permit;
        if (plan.flawed || _paused() || block.timestamp >= permit.validBefore) return false;
        if (plan.price > request.intent.amount) return false;
        if (_stateIn(permit.customerWallet, permit.nonce) != ICredits.OrderState.Unused) return false;
        if (_charged(plan) > creditsIn[plan.seed][plan.who]) return false;
        if (request.gasFee != 0 && plan.relayer != operator) return false;
        if (request.intent.usdcAmount > usdcOf[permit.customerWallet]) return false;
        if (request.intent.usdcAmount != 0 && mined[_keyOf(permit.customerWallet, permit.nonce)]) return false;
        if (!RedeemHash.isIntentBound(permit.nonce) && !(randomNonceIn[plan.seed] && plan.relayer == operator)) {
            return false;
        }
        if (request.settlement.kind == ICredits.Kind.Token) return true;
        if (request.settlement.kind == ICredits.Kind.Decent && (bridgeClosed || _pausedHere())) return false;
        return allowedIn[plan.seed][request.settlement.target];
    }

    /// @dev Records the changes of a successful redeem.
    function _note(Plan memory plan) internal {
        ICredits.RedeemRequest memory request = plan.request;
        address wallet = wallets[plan.who];
        _setState(wallet, request.permit.nonce, ICredits.OrderState.Redeemed);
        creditsIn[plan.seed][plan.who] -= _charged(plan);
        creditsIn[plan.seed][plan.who] += request.intent.amount - plan.price;
        fees += request.gasFee;
        usdcOf[wallet] -= request.intent.usdcAmount;
        usdcOf[plan.payee] += plan.price;
    }
}
