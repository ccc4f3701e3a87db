// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "../src/ICredits.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {ICreditsContract} from "./Deployed.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";
import {MockUsdc} from "./mocks/MockUsdc.sol";

/// @title What the invariant tests do to the contract, and what they remember of it
contract CreditsHandler is CreditsFixture {
    uint256 private constant WALLETS = 3;

    HostileMerchant private hostile;
    ICredits.RedeemRequest[] private done;
    ICredits.RedeemRequest[] private early;
    uint256[WALLETS] private keys;

    /// @notice How often each kind of step went through.
    mapping(string step => uint256) public went;
    uint256 public feesCharged;
    uint256 public feesWithdrawn;
    uint256 public bridged;
    uint256 public gifts;
    bool public replayed;
    bool public overcharged;
    bool public cancelledRedeemed;

    constructor() {
        setUp();
        hostile = new HostileMerchant(address(usdc));
        _allow(address(hostile));
        _openRoute();
        vm.startPrank(admin);
        credits.grantRole(credits.OPERATOR_ROLE(), address(hostile));
        credits.grantRole(credits.MINTER_ROLE(), address(hostile));
        vm.stopPrank();
        keys = [CUSTOMER_KEY, uint256(keccak256("second")), uint256(keccak256("third"))];
        for (uint256 i = 0; i < WALLETS; ++i) {
            _fund(_wallet(i), 1000 * DOLLAR);
        }
    }

    // What can be asked

    function contracts() external view returns (ICreditsContract, MockUsdc) {
        return (credits, usdc);
    }

    function sumOfCredits() external view returns (uint256 sum) {
        for (uint256 i = 0; i < WALLETS; ++i) {
            sum += credits.creditsOf(SEED, _wallet(i));
        }
    }

    /// @notice Allowances and tokens that stayed behind.
    function leftBehind() external view returns (uint256) {
        address here = address(credits);
        return usdc.allowance(here, address(normalMerchant)) + usdc.allowance(here, address(mint721))
            + usdc.allowance(here, address(returnedMerchant)) + usdc.allowance(here, address(knownMerchant))
            + usdc.allowance(here, address(hostile)) + usdc.allowance(here, address(adapter)) + mint721.balanceOf(here)
            + returnedMerchant.balanceOf(here) + knownMerchant.balanceOf(here) + hostile.balanceOf(here);
    }

    function adapterBalance() external view returns (uint256) {
        return usdc.balanceOf(address(adapter));
    }

    /// @notice The steps below.
    function steps() external pure returns (bytes4[] memory selectors) {
        selectors = new bytes4[](16);
        selectors[0] = this.mint.selector;
        selectors[1] = this.burn.selector;
        selectors[2] = this.redeemToken.selector;
        selectors[3] = this.redeemNormal.selector;
        selectors[4] = this.redeemSafeMint.selector;
        selectors[5] = this.redeemReturned.selector;
        selectors[6] = this.redeemKnown.selector;
        selectors[7] = this.redeemDecent.selector;
        selectors[8] = this.redeemHostile.selector;
        selectors[9] = this.batch.selector;
        selectors[10] = this.cancel.selector;
        selectors[11] = this.replay.selector;
        selectors[12] = this.donate.selector;
        selectors[13] = this.landEarly.selector;
        selectors[14] = this.creditEarly.selector;
        selectors[15] = this.withdrawFees.selector;
    }

    // Steps

    function mint(uint256 who, uint256 amount) external {
        _mintCredits(SEED, _wallet(who), bound(amount, 1, 1000 * DOLLAR));
        ++went["mint"];
    }

    function burn(uint256 who, uint256 amount) external {
        uint256 balance = credits.creditsOf(SEED, _wallet(who));
        if (balance == 0) return;
        vm.prank(minter);
        credits.burn(SEED, _wallet(who), bound(amount, 1, balance));
        ++went["burn"];
    }

    function redeemToken(uint256 who, uint256 amount, uint256 usdcAmount, uint256 gasFee, uint8 method) external {
        _try("token", _write(who, _token(receiver), amount, usdcAmount, gasFee, method));
    }

    function redeemNormal(uint256 who, uint256 amount, uint256 price, uint256 usdcAmount, uint8 method) external {
        amount = bound(amount, 1, 100 * DOLLAR);
        // Sometimes more than was offered.
        price = bound(price, 0, amount + amount / 8);
        _try("normal", _write(who, _normal(price), amount, usdcAmount, price % 50_000, method));
    }

    function redeemSafeMint(uint256 who, uint256 count, uint256 amount, uint8 method) external {
        ICredits.Settlement memory settlement = _safeMint(bound(count, 0, 18), 1000);
        _try("safeMint", _write(who, settlement, bound(amount, 1000, DOLLAR), amount, 0, method));
    }

    function redeemReturned(uint256 who, uint256 amount, uint256 gasFee) external {
        _try("returned", _write(who, _returned(1000), bound(amount, 1000, DOLLAR), 0, gasFee, 0));
    }

    function redeemKnown(uint256 who, uint256 id, uint256 gasFee) external {
        id = bound(id, 1, 50);
        try knownMerchant.list(id, 5000) {} catch {}
        _try("known", _write(who, _known(id), 5000 + gasFee % 5000, 0, gasFee, 0));
    }

    function redeemDecent(uint256 who, uint256 amount, uint256 cost, uint8 method) external {
        amount = bound(amount, 1, 100 * DOLLAR);
        cost = bound(cost, 0, amount + amount / 8);
        if (_try("decent", _write(who, _decent(cost), amount, cost, 0, method))) bridged += cost;
    }

    /// @dev Whatever the hostile merchant tries, the customer pays what was pulled.
    function redeemHostile(uint256 who, uint256 mode, uint256 amount, uint256 price, uint8 method) external {
        amount = bound(amount, 1, 10 * DOLLAR);
        price = bound(price, 0, amount + amount / 8);
        ICredits.Settlement memory settlement = _call(ICredits.Kind.Normal, address(hostile), _attack(mode, price));
        if (mode % 8 >= 5) {
            settlement.kind = mode % 8 == 5 ? ICredits.Kind.SafeMint : ICredits.Kind.Returned;
            settlement.nftContract = address(hostile);
        }
        _try("hostile", _write(who, settlement, amount, price, mode % 1000, method));
    }

    function _attack(uint256 mode, uint256 price) private returns (bytes memory) {
        mode %= 8;
        if (mode == 0) return abi.encodeCall(HostileMerchant.pullTwice, (price / 2, price - price / 2));
        if (mode == 1) {
            bytes memory inner = abi.encodeCall(ICredits.redeem, (_write(0, _token(stranger), price + 1, 0, 0, 0)));
            return abi.encodeCall(HostileMerchant.tryCall, (price, address(credits), inner));
        }
        if (mode == 2) {
            bytes memory inner = abi.encodeCall(ICredits.burn, (SEED, _wallet(0), 1));
            return abi.encodeCall(HostileMerchant.tryCall, (price, address(credits), inner));
        }
        if (mode == 3) return abi.encodeCall(HostileMerchant.returnBomb, (10_000));
        if (mode == 4) return _landing(_earlyOne(1, price + 1), price);
        if (mode == 5) return abi.encodeCall(HostileMerchant.safeMint, (price % 20));
        if (mode == 6) return abi.encodeCall(HostileMerchant.safeMintAndReturn, (price % 3, hostile.minted() + 1));
        return abi.encodeCall(HostileMerchant.mintAndReturn, (price % 3, hostile.minted() + 1));
    }

    function batch(uint256 who, uint256 amount, uint256 count, uint256 gasFee) external {
        count = bound(count, 1, 4);
        ICredits.RedeemRequest[] memory requests = new ICredits.RedeemRequest[](count);
        uint256[] memory gasLimits = new uint256[](count);
        for (uint256 i = 0; i < count; ++i) {
            ICredits.Settlement memory settlement = i % 2 == 0
                ? _token(receiver)
                : _call(ICredits.Kind.Normal, address(hostile), _attack((amount % 5 + i) % 5, amount % DOLLAR));
            requests[i] = _write(who % WALLETS + i, settlement, bound(amount, 1, 2 * DOLLAR), 0, gasFee, 0);
            gasLimits[i] = 600_000;
        }
        if (amount % 3 == 0) requests[count - 1] = requests[0];
        uint256 surplusBefore = credits.surplus();
        vm.prank(operator);
        ICredits.BatchResult[] memory results = credits.redeemBatch(_encoded(requests), gasLimits);
        gifts += credits.surplus() - surplusBefore;
        for (uint256 i = 0; i < count; ++i) {
            if (!results[i].success) continue;
            feesCharged += requests[i].gasFee;
            done.push(requests[i]);
            ++went["batch"];
        }
    }

    function cancel(uint256 who, uint256 amount) external {
        ICredits.RedeemRequest memory request = _write(who, _token(receiver), amount, 0, 0, 0);
        bytes32 nonce = request.permit.nonce;
        bytes32 digest = credits.hashCancelCreditsAuthorization(_wallet(who), nonce);
        credits.cancelCreditsAuthorization(_wallet(who), nonce, _signature(keys[who % WALLETS], digest));
        vm.prank(operator);
        try credits.redeem(request) {
            cancelledRedeemed = true;
        } catch {
            ++went["cancel"];
        }
    }

    function replay(uint256 index) external {
        if (done.length == 0) return;
        vm.prank(operator);
        try credits.redeem(done[index % done.length]) {
            replayed = true;
        } catch {
            ++went["replay"];
        }
    }

    function donate(uint256 amount) external {
        amount = bound(amount, 1, DOLLAR);
        _fund(address(credits), amount);
        gifts += amount;
        ++went["donate"];
    }

    function landEarly(uint256 who, uint256 amount) external {
        ICredits.RedeemRequest memory request = _earlyOne(who, amount);
        (bool success,) = address(usdc).call(_landingCall(request));
        if (success) gifts += request.intent.usdcAmount;
        ++went["landEarly"];
    }

    function creditEarly(uint256 index, uint256 value) external {
        if (early.length == 0) return;
        ICredits.RedeemRequest memory request = early[index % early.length];
        ICredits.EarlyAuthorization memory authorization = _early(request);
        if (value % 4 == 3) ++authorization.value;
        vm.prank(operator);
        try credits.creditEarlyAuthorization(SEED, authorization) {
            gifts -= authorization.value;
            ++went["creditEarly"];
        } catch {}
    }

    function withdrawFees() external {
        feesWithdrawn += credits.withdrawFees();
        ++went["withdrawFees"];
    }

    // Inside

    function _wallet(uint256 who) private view returns (address) {
        return vm.addr(keys[who % WALLETS]);
    }

    function _write(
        uint256 who,
        ICredits.Settlement memory settlement,
        uint256 amount,
        uint256 usdcAmount,
        uint256 gasFee,
        uint8 method
    ) private returns (ICredits.RedeemRequest memory request) {
        amount = bound(amount, 1, 100 * DOLLAR);
        method %= 5;
        usdcAmount = method == 0 ? 0 : bound(usdcAmount, 1, amount);
        request = _request(settlement, amount, usdcAmount, bound(gasFee, 0, DOLLAR));
        request.permit.customerWallet = _wallet(who);
        _bind(request);
        uint256 key = keys[who % WALLETS];
        request.permit.signature = _signature(key, credits.hashCreditsAuthorization(request.permit));
        if (method == 0) return request;
        _authorize(request, ICredits.UsdcMethod(method));
        request.usdcAuthorization.signature = _signature(key, _authorizationDigest(request));
    }

    function _try(string memory step, ICredits.RedeemRequest memory request) private returns (bool) {
        address wallet = request.permit.customerWallet;
        uint256 creditsBefore = credits.creditsOf(SEED, wallet);
        uint256 usdcBefore = usdc.balanceOf(wallet);
        uint256 surplusBefore = credits.surplus();
        vm.prank(operator);
        try credits.redeem(request) {
            uint256 charged = creditsBefore - _min(creditsBefore, credits.creditsOf(SEED, wallet));
            bool paidMore = usdcBefore > usdc.balanceOf(wallet) + request.intent.usdcAmount;
            // Only another wallet's authorization may have landed meanwhile.
            if (charged > request.permit.amount || (paidMore && wallet != _wallet(1))) overcharged = true;
            gifts += credits.surplus() - surplusBefore;
            feesCharged += request.gasFee;
            done.push(request);
            ++went[step];
            return true;
        } catch {
            return false;
        }
    }

    function _earlyOne(uint256 who, uint256 amount) private returns (ICredits.RedeemRequest memory request) {
        request = _write(who, _token(receiver), amount, amount, 0, uint8(ICredits.UsdcMethod.TransferV2));
        early.push(request);
    }

    function _landing(ICredits.RedeemRequest memory request, uint256 price) private view returns (bytes memory) {
        return abi.encodeCall(HostileMerchant.tryCall, (price, address(usdc), _landingCall(request)));
    }

    function _min(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }
}
