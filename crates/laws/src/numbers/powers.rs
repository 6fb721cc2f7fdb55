//! The table of powers of two from which eˣ is made.

/// 1.5·2⁵²: adding it rounds to a whole number, which is then in the low bits.
pub(crate) const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// ln 2 in two parts (Cody & Waite): the first has 33 bits, so that n times it is exact.
pub(crate) const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
pub(crate) const LN_2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);

/// Powers in a factor of 2.
pub(crate) const ROWS: usize = 128;

/// 2^(k/128) as bits, less k 2⁴⁵ so that adding n 2⁴⁵ gives 2^(n/128) for every n = k mod 128; and
/// what is lost by its rounding, over it. `tools/powers_of_two.py` makes it, with 60 digits.
#[rustfmt::skip]
pub(crate) const POWERS: [(u64, f64); ROWS] = [
    (0x3ff0_0000_0000_0000, 0.0),
    (0x3fef_f63d_a9fb_3335, 9.447_885_45e-17),
    (0x3fef_ec9a_3e77_8061, -1.507_066_98e-17),
    (0x3fef_e315_e86e_7f85, -5.679_155_08e-17),
    (0x3fef_d9b0_d315_8574, 4.999_744_87e-17),
    (0x3fef_d06b_29dd_f6de, -4.823_683_6e-17),
    (0x3fef_c745_1875_9bc8, 7.357_846_87e-18),
    (0x3fef_be3e_cac6_f383, 5.773_230_22e-17),
    (0x3fef_b558_6cf9_890f, 8.189_317_64e-17),
    (0x3fef_ac92_2b72_47f7, 5.326_891_14e-17),
    (0x3fef_a3ec_32d3_d1a2, 1.666_588_14e-18),
    (0x3fef_9b66_affe_d31b, -1.128_113_25e-17),
    (0x3fef_9301_d012_5b51, -7.402_825_31e-17),
    (0x3fef_8abd_c06c_31cc, -3.578_659_77e-18),
    (0x3fef_829a_aea9_2de0, -6.170_654_75e-17),
    (0x3fef_7a98_c8a5_8e51, 2.919_14e-17),
    (0x3fef_72b8_3c7d_517b, -2.793_911_49e-17),
    (0x3fef_6af9_388c_8dea, -5.399_285_36e-17),
    (0x3fef_635b_eb6f_cb75, 4.776_959_43e-17),
    (0x3fef_5be0_8404_5cd4, -7.927_701_43e-17),
    (0x3fef_5487_3168_b9aa, 9.341_710_61e-17),
    (0x3fef_4d50_22fc_d91d, -5.534_520_68e-17),
    (0x3fef_463b_8862_8cd6, 4.585_670_33e-17),
    (0x3fef_3f49_917d_dc96, 2.858_243_04e-17),
    (0x3fef_387a_6e75_6238, 7.826_573_26e-17),
    (0x3fef_31ce_4fb2_a63f, 4.053_626_91e-17),
    (0x3fef_2b45_65e2_7cdd, 2.823_784_43e-17),
    (0x3fef_24df_e1f5_6381, -7.882_802_26e-17),
    (0x3fef_1e9d_f51f_dee1, 3.290_472_66e-17),
    (0x3fef_187f_d0da_d990, -1.579_209_47e-18),
    (0x3fef_1285_a6e4_030b, 4.721_368_12e-17),
    (0x3fef_0caf_a93e_2f56, 1.304_527_71e-17),
    (0x3fef_06fe_0a31_b715, 3.348_462_33e-17),
    (0x3fef_0170_fc4c_d831, 3.861_119_98e-17),
    (0x3fee_fc08_b264_16ff, 5.527_550_05e-17),
    (0x3fee_f6c5_5f92_9ff1, -3.927_184_17e-17),
    (0x3fee_f1a7_373a_a9cb, -6.346_552_11e-17),
    (0x3fee_ecae_6d05_d866, -8.684_417_61e-17),
    (0x3fee_e7db_34e5_9ff7, -1.545_634_28e-17),
    (0x3fee_e32d_c313_a8e5, -8.707_634_76e-17),
    (0x3fee_dea6_4c12_3422, 3.750_854_2e-17),
    (0x3fee_da45_04ac_801c, -6.616_854_5e-17),
    (0x3fee_d60a_21f7_2e2a, -5.346_099_01e-18),
    (0x3fee_d1f5_d950_a897, -2.443_726_32e-17),
    (0x3fee_ce08_6061_892d, 2.102_304_97e-18),
    (0x3fee_ca41_ed1d_0057, 7.771_067_94e-17),
    (0x3fee_c6a2_b5c1_3cd0, 1.335_751_01e-17),
    (0x3fee_c32a_f0d7_d3de, 6.938_291_7e-17),
    (0x3fee_bfda_d536_2a27, 1.957_258_53e-17),
    (0x3fee_bcb2_99fd_dd0d, 6.632_256_96e-17),
    (0x3fee_b9b2_769d_2ca7, -5.478_069_12e-17),
    (0x3fee_b6da_a2cf_6642, -4.140_839_31e-17),
    (0x3fee_b42b_569d_4f82, -2.157_147_73e-17),
    (0x3fee_b1a4_ca5d_920f, -3.828_776_66e-17),
    (0x3fee_af47_36b5_27da, 6.663_804_59e-17),
    (0x3fee_ad12_d497_c7fd, 2.393_618_74e-17),
    (0x3fee_ab07_dd48_5429, 5.686_480_96e-17),
    (0x3fee_a926_8a59_46b7, 1.126_452_34e-18),
    (0x3fee_a76f_15ad_2148, 7.007_875_05e-17),
    (0x3fee_a5e1_b976_dc09, -5.011_921_43e-17),
    (0x3fee_a47e_b03a_5585, -4.892_306_75e-17),
    (0x3fee_a346_34cc_c320, -3.526_009e-17),
    (0x3fee_a238_8255_2225, -6.872_303_72e-17),
    (0x3fee_a155_d44c_a973, 5.001_446_66e-18),
    (0x3fee_a09e_667f_3bcd, -6.835_808_66e-17),
    (0x3fee_a012_750b_dabf, -1.130_734_41e-17),
    (0x3fee_9fb2_3c65_1a2f, -8.416_011_63e-18),
    (0x3fee_9f7d_f951_9484, -2.924_797_7e-17),
    (0x3fee_9f75_e8ec_5f74, -2.092_304_38e-17),
    (0x3fee_9f9a_48a5_8174, -3.977_864_59e-17),
    (0x3fee_9feb_5642_67c9, -3.833_464_97e-17),
    (0x3fee_a069_4fde_5d3f, 5.763_611_16e-17),
    (0x3fee_a114_73eb_0187, -2.359_109_48e-17),
    (0x3fee_a1ed_0130_c132, 7.260_074_66e-17),
    (0x3fee_a2f3_36cf_4e62, 9.506_897_1e-18),
    (0x3fee_a427_543e_1a12, -4.272_956_13e-17),
    (0x3fee_a589_994c_ce13, -6.735_219_23e-17),
    (0x3fee_a71a_4623_c7ad, -2.839_604_44e-17),
    (0x3fee_a8d9_9b44_92ed, -7.226_635_47e-17),
    (0x3fee_aac7_d98a_6699, 5.786_121e-17),
    (0x3fee_ace5_422a_a0db, 5.154_830_12e-17),
    (0x3fee_af32_16b5_448c, -9.416_257_57e-18),
    (0x3fee_b1ae_9915_7736, 2.425_398_58e-17),
    (0x3fee_b45b_0b91_ffc6, -6.604_314_05e-17),
    (0x3fee_b737_b0cd_c5e5, -6.432_131_78e-18),
    (0x3fee_ba44_cbc8_520f, -1.220_400_76e-17),
    (0x3fee_bd82_9fde_4e50, -6.336_161_86e-17),
    (0x3fee_c0f1_70ca_07ba, -3.780_087_92e-17),
    (0x3fee_c491_82a3_f090, 1.534_141_01e-17),
    (0x3fee_c863_19e3_2323, 1.293_285_56e-17),
    (0x3fee_cc66_7b5d_e565, -4.123_367_33e-17),
    (0x3fee_d09b_ec4a_2d33, 4.703_083_97e-17),
    (0x3fee_d503_b23e_255d, -6.152_602_89e-17),
    (0x3fee_d99e_1330_b358, 5.827_849_33e-17),
    (0x3fee_de6b_5579_fdbf, 3.540_948_26e-17),
    (0x3fee_e36b_bfd3_f37a, -3.274_157_13e-17),
    (0x3fee_e89f_995a_d3ad, 4.875_160_53e-17),
    (0x3fee_ee07_298d_b666, -5.718_569_79e-17),
    (0x3fee_f3a2_b84f_15fb, -4.719_539_66e-18),
    (0x3fee_f972_8de5_593a, -5.773_451_96e-17),
    (0x3fee_ff76_f2fb_5e47, -1.077_248_71e-17),
    (0x3fef_05b0_30a1_064a, -6.221_808_62e-17),
    (0x3fef_0c1e_904b_c1d2, 1.821_405_44e-17),
    (0x3fef_12c2_5bd7_1e09, -6.155_536_55e-17),
    (0x3fef_199b_dd85_529c, 1.685_487_29e-17),
    (0x3fef_20ab_5fff_d07a, 5.358_124_92e-17),
    (0x3fef_27f1_2e57_d14b, 3.621_615_94e-17),
    (0x3fef_2f6d_9406_e7b5, 8.588_379_53e-18),
    (0x3fef_3720_dcef_9069, 1.015_621_9e-17),
    (0x3fef_3f0b_555d_c3fa, -2.869_134_89e-17),
    (0x3fef_472d_4a07_897c, -5.495_118_97e-17),
    (0x3fef_4f87_080d_89f2, -5.569_655_72e-17),
    (0x3fef_5818_dcfb_a487, 1.790_126_91e-17),
    (0x3fef_60e3_16c9_8398, -3.221_176_63e-17),
    (0x3fef_69e6_03db_3285, 5.265_370_77e-17),
    (0x3fef_7321_f301_b460, 3.508_986_64e-17),
    (0x3fef_7c97_337b_9b5f, -3.266_924_1e-17),
    (0x3fef_8646_14f5_a129, -4.365_759_3e-17),
    (0x3fef_902e_e78b_3ff6, 1.796_393_27e-17),
    (0x3fef_9a51_fbc7_4c83, 3.430_092_53e-17),
    (0x3fef_a4af_a2a4_90da, -5.545_065_62e-17),
    (0x3fef_af48_2d8e_67f1, -5.149_009_75e-17),
    (0x3fef_ba1b_ee61_5a27, 5.336_805_88e-17),
    (0x3fef_c52b_376b_ba97, 3.498_978_66e-17),
    (0x3fef_d076_5b6e_4540, 4.578_491_53e-17),
    (0x3fef_dbfd_ad9c_be14, -5.241_934_58e-17),
    (0x3fef_e7c1_819e_90d8, 2.041_427_89e-17),
    (0x3fef_f3c2_2b8f_71f1, 4.124_842_85e-18),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_multiply() {
        let power = |n: usize| {
            let (bits, lost) = POWERS[n % ROWS];
            (f64::from_bits(bits + ((n as u64) << 45)), lost)
        };
        assert!((power(ROWS).0 - 2.0).abs() <= 0.0);
        for n in 0..ROWS {
            for m in 0..ROWS {
                let ((a, da), (b, db), (c, dc)) = (power(n), power(m), power(n + m));
                // a b (1 + da + db) = c (1 + dc): the error of the product a b by a fused product
                let product = a * b;
                let error = a.mul_add(b, -product);
                let off = ((product - c) + error) / c + (da + db - dc);
                // squares of what is lost, 1e-32, and the last of its nine digits
                assert!(off.abs() < 1e-24, "{n} {m}: {off:e}");
            }
        }
    }
}
