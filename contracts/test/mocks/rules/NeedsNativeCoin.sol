// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "../Payment.sol";

/// @title Breaks one rule: besides the price it wants the chain's own coin

contract NeedsNativeCoin is Payment {
    uint256 public constant FEE = 0.001 ether;

    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external payable {
        require(msg.value == FEE, "NeedsNativeCoin: send 0.001 of the coin");
        _pull(price);
        paidFor[receiver] += price;
    }
}
