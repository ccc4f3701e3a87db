// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "../Payment.sol";

/// @title Breaks one rule: with little gas the delivery fails, and it keeps the money

contract KeepsMoneyOnShortGas is Payment {
    mapping(address receiver => uint256) public paidFor;
    mapping(uint256 slot => uint256) public shelf;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        try this.deliver(receiver, price) {} catch {}
    }

    /// @dev Twelve new slots: about 270,000 gas.
    function deliver(address receiver, uint256 price) external {
        require(msg.sender == address(this), "KeepsMoneyOnShortGas: not me");
        uint256 first = uint256(keccak256(abi.encode(receiver, paidFor[receiver])));
        for (uint256 i = 0; i < 12; ++i) {
            shelf[first + i] = 1;
        }
        paidFor[receiver] += price;
    }
}
